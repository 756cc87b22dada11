import { expect, test } from "vitest"
import { defineAgent } from "../agent.ts"
import { createRuntime } from "../create-runtime.ts"
import { scriptedModel } from "../models/scripted.ts"
import { memoryStore } from "../stores/memory.ts"

const agentWith = (context: string) =>
  defineAgent({ name: "lint", instructions: "Lint.", tools: [], template: { task: "message", context } })

async function firstOf(context: string, variables: Record<string, string>): Promise<unknown> {
  const seen: unknown[] = []
  const script = scriptedModel({ lint: [{ text: "done" }] })
  const runtime = createRuntime({
    models: { script },
    store: memoryStore(),
    layers: {
      model: [
        (request, next) => {
          seen.push([...(request.messages as Iterable<unknown>)][0])
          return next(request)
        },
      ],
    },
  })
  await runtime.run(agentWith(context), "Look.", { variables }).done
  return seen[0]
}

test("the first message is the template with the run's variables, and what is inserted is not rendered again", async () => {
  expect(
    await firstOf("{% if node_name %}{{ node_name }}: {% endif %}{{ node_text }}", {
      node_name: "f",
      node_text: "{{ node_name }}",
    }),
  ).toEqual({ role: "user", text: "f: {{ node_name }}" })
})

test.each([
  ["a template that is wrong", "{% if %}", /cannot be made from its template/],
  ["one that comes to nothing", "{{ nothing }}", /it comes to an empty text/],
])("%s stops the run before any request", async (_, context, message) => {
  await expect(firstOf(context, {})).rejects.toThrow(message)
})
