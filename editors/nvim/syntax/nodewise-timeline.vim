" The words for events in a timeline, after the time and the indentation. The view colours the heads of visits.
if exists('b:current_syntax')
  finish
endif

syntax match NodewiseReads /^\s*\%([0-9.]\+ \l\+\)\?\s\+\zsreads\ze\s/
syntax match NodewiseWrites /^\s*\%([0-9.]\+ \l\+\)\?\s\+\zs\%(writes\|removes\|saves\)\ze\s/
syntax match NodewiseAsks /^\s*\%([0-9.]\+ \l\+\)\?\s\+\zs\%(asks\|calls\|looks\|stores\|answer\)\ze\s/
syntax match NodewiseEdge /^\s*\%([0-9.]\+ \l\+\)\?\s\+\zs\%(edge\|routes\|runs\|ends\|skips\|waits\|resumes\)\ze\s/
syntax match NodewiseFails /^\s*\%([0-9.]\+ \l\+\)\?\s\+\zs\%(fails\|error\|retries\|drops\)\ze\s/

let b:current_syntax = 'nodewise-timeline'
