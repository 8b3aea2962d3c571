// JSONPath as the engine calls it.
import { JSONPath } from 'jsonpath-plus';
import { show } from '../lines.mjs';

export function answerPath({ path, json }) {
  try {
    return { value: show(JSONPath({ path, json })) };
  } catch (error) {
    return { error: error.name };
  }
}
