// SPDX-License-Identifier: Apache-2.0
// node poll.mjs METHOD URL [BODY]: starts an operation, follows it to the end, prints one JSON line about it.
import { createHttpPoller } from "@azure/core-lro";

const [method, url, body] = process.argv.slice(2);
let polls = 0;

async function ask(verb, where, content) {
  const response = await fetch(where, { method: verb, body: content, headers: content ? { "content-type": "application/json" } : {} });
  const text = await response.text();
  const parsed = text ? JSON.parse(text) : undefined;
  return {
    flatResponse: parsed,
    rawResponse: { statusCode: response.status, headers: Object.fromEntries(response.headers), body: parsed, request: { method: verb, url: where } },
  };
}

const poller = createHttpPoller({
  sendInitialRequest: () => ask(method, url, body),
  sendPollRequest: (where) => {
    polls += 1;
    return ask("GET", where);
  },
}, { intervalInMs: 20 });

try {
  const result = await poller.pollUntilDone();
  console.log(JSON.stringify({ status: poller.operationState.status, polls, result }));
} catch (error) {
  console.log(JSON.stringify({ status: poller.operationState?.status, polls, error: error.message }));
}
