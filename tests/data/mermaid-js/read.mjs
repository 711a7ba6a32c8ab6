// What Mermaid makes of state diagrams: a JSON array of texts on the standard input, one of {"states": {id: parent},
// "arrows": number} or {"error": text} on the standard output.
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('');
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');
await mermaid.parse('stateDiagram-v2'); // registers the diagrams

const read = async (text) => {
    try {
        const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
        const { nodes, edges } = db.getData();
        const parents = Object.fromEntries(nodes.map(({ id, parentId }) => [id, parentId ?? '']));
        const isState = ({ shape }) => !['note', 'noteGroup', 'divider', 'stateStart', 'stateEnd'].includes(shape);
        const around = (id) => {
            let parent = parents[id];
            while (parent && !nodes.some((node) => node.id === parent && isState(node)))
                parent = parents[parent];
            return parent ?? '';
        };
        return {
            states: Object.fromEntries(nodes.filter(isState).map(({ id }) => [id, around(id)])),
            arrows: edges.filter(({ arrowhead }) => arrowhead !== 'none').length,
        };
    } catch (error) {
        return { error: String(error.message) };
    }
};
const results = [];
for (const text of JSON.parse(readFileSync(0, 'utf8')))
    results.push(await read(text));
console.log(JSON.stringify(results));
