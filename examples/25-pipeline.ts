/** A pipeline: steps that hand work to agents, over a list, in rounds, with a person in between. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"
import { definePipeline } from "cadre/pipeline"

const release = definePipeline({
  name: "release",
  description: "Reviews what has changed and writes the notes.",
  inputs: { version: "string" },
  steps: [
    { id: "scan", agent: "scanner", prompt: "Which files changed since {{ inputs.version }}?" },
    // Over a list that an agent returned. Its schema is known, so names are checked before anything runs.
    { id: "reviews", map: "steps.scan.value.files", agent: "reviewer", prompt: "Review {{ item }}." },
    {
      id: "notes",
      loop: { until: "steps.judge.value.good", max: 3 },
      steps: [
        { id: "write", agent: "writer", prompt: "Draft {{ round }}. Before: {{ previous.judge.output }}" },
        { id: "judge", agent: "judge", prompt: "{{ steps.write.output }}" },
      ],
    },
    { id: "gate", approval: "Publish {{ inputs.version }}?" },
  ],
  outputs: { reviews: "{{ steps.reviews.value }}", drafts: "{{ steps.notes.rounds }}" },
})

const object = (property: string, type: string) => ({ type: "object", properties: { [property]: { type } } })
const submit = (input: object) => ({ calls: [{ tool: "submit_result", input }] })
const model = scriptedModel({
  scanner: [submit({ files: ["a.ts", "b.ts"] })],
  reviewer: [
    { match: "a.ts", text: "a.ts is fine.", delayMs: 20 },
    { match: "b.ts", text: "b.ts is fine." },
  ],
  writer: [{ text: "Notes." }],
  judge: [submit({ good: true })],
})
const runtime = createRuntime({
  agents: [
    release,
    defineAgent({ name: "scanner", instructions: "Scan.", result: object("files", "array") }),
    defineAgent({ name: "judge", instructions: "Judge.", result: object("good", "boolean") }),
    defineAgent({ name: "reviewer", instructions: "Review." }),
    defineAgent({ name: "writer", instructions: "Write." }),
  ],
  models: { model },
  store: memoryStore(),
})

// The only input is a text, so the task is that text. The run rests until a person approves.
const first = await runtime.run("release", "v2").done
assert.equal(first.status, "resting")
await runtime.approve(first.run, first.approvals[0]!.call, "allow")
const { outcome, value } = await runtime.resume(first.run).done
console.log(outcome, value)
assert.deepEqual(value, { reviews: ["a.ts is fine.", "b.ts is fine."], drafts: 1 })
