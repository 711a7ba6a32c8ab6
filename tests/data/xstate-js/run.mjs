// Standard input: [{version, machine, events, conditions}]; output: for each a list of configurations, the first
// before any event, or {error}. A configuration is the sorted keys of the states in which no other one is active.
import { createMachine, fromPromise, getInitialSnapshot, getNextSnapshot } from 'xstate';
import xstate4 from 'xstate4';
import { readFileSync } from 'node:fs';

const silent = () => { };
console.warn = silent;
console.error = silent;

function* values(of) {
  yield of;
  if (of && typeof of === 'object')
    for (const each of Object.values(of)) yield* values(each);
}

const nameOf = guard => typeof guard === 'string' ? guard
  : guard.params ? `${guard.type}(${JSON.stringify(guard.params)})` : guard.type;

/// The name that an event has for the library, in what is active.
function eventFor(event, nodes, isFive) {
  const delay = /^after (\d+) ms$/.exec(event);
  if (delay)
    for (const node of nodes)
      for (const each of node.after ?? [])
        if (String(each.delay) === delay[1]) return each.eventType;
  if (isFive && event.startsWith('done.invoke.')) return 'xstate.done.actor.' + event.slice(12);
  if (isFive && event.startsWith('error.platform.')) return 'xstate.error.actor.' + event.slice(15);
  return event;
}

const leaves = nodes => [...nodes].filter(node => node.type === 'atomic' || node.type === 'final').map(node => node.key).sort();

function runFive({ machine, events, conditions }) {
  const guards = {}, actions = {}, actors = {};
  for (const each of values(machine)) {
    if (!each || typeof each !== 'object') continue;
    if (each.guard) {
      const type = typeof each.guard === 'string' ? each.guard : each.guard.type;
      guards[type] = (_, params) => conditions.includes(params ? `${type}(${JSON.stringify(params)})` : type);
    }
    if (typeof each.src === 'string') actors[each.src] = fromPromise(() => new Promise(silent));
  }
  const logic = createMachine(machine).provide({ guards, actions, actors });
  let snapshot = getInitialSnapshot(logic);
  const result = [leaves(snapshot._nodes)];
  for (const event of events) {
    if (snapshot.status === 'active') snapshot = getNextSnapshot(logic, snapshot, { type: eventFor(event, snapshot._nodes, true) });
    result.push(leaves(snapshot._nodes));
  }
  return result;
}

function runFour({ machine, events, conditions }) {
  const guards = {};
  for (const each of values(machine))
    if (each && typeof each === 'object' && each.cond) {
      const type = typeof each.cond === 'string' ? each.cond : each.cond.type;
      guards[type] = () => conditions.includes(nameOf(each.cond));
    }
  const logic = xstate4.createMachine({ predictableActionArguments: true, ...machine }, { guards });
  let state = logic.initialState;
  const result = [leaves(state.configuration)];
  for (const event of events) {
    if (!state.done) state = logic.transition(state, eventFor(event, state.configuration, false));
    result.push(leaves(state.configuration));
  }
  return result;
}

const answers = JSON.parse(readFileSync(0, 'utf8')).map(each => {
  try {
    return each.version === 4 ? runFour(each) : runFive(each);
  } catch (error) {
    return { error: String(error.message ?? error).split('\n')[0] };
  }
});
console.log(JSON.stringify(answers));
