// Standard input: a list of texts; output: what state-machine-cat reads of each, or {error}.
import { render } from 'state-machine-cat';
import { readFileSync } from 'node:fs';

console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(text => {
  try {
    return render(text, { outputType: 'json' });
  } catch (error) {
    return { error: String(error.message ?? error) };
  }
})));
