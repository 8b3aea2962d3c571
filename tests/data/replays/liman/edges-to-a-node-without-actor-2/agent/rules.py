def always():
    return 1

def never():
    return ''

def broken():
    raise RuntimeError('no rule')
