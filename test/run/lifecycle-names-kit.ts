import { SubagentRegistry } from "../../src/files.ts"
import {
  builtInTools,
  createRuntime,
  defineAgent,
  defineTool,
  type Json,
  memoryStore,
  scriptedModel,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { results } from "../kit.ts"

const handOn = defineTool<{ whom: string }>({
  name: "HandOn",
  description: "x",
  input: { type: "object" },
  delegate: ({ whom }) => ({ agent: whom, task: "x" }),
})

/** What a lead is told of one call under hooks, with tools as they ship. */
export async function told(hooks: Json, tool: string, input: { readonly [name: string]: Json }) {
  const root = temporaryFolder({ "secret.txt": "hidden", "open.txt": "shown" })
  const agents = new SubagentRegistry()
  for (const name of ["lead", "worker"]) agents.register(defineAgent({ name, instructions: "x" }))
  agents.register(defineAgent({ name: "deploy", instructions: "x", aliases: ["shipper"] }))
  agents.register(defineAgent({ name: "failing", instructions: "x", fallback: ["shipper"] }))
  const store = memoryStore()
  const runtime = createRuntime({
    agents,
    store,
    tools: [...builtInTools({ root }), handOn],
    hookSets: [{ name: "project", of: "project", hooks }],
    models: {
      m: scriptedModel({
        lead: [{ calls: [{ tool, input }] }, { text: "done" }],
        deploy: [{ text: "deployed" }],
        failing: [{ error: { message: "500" } }],
        worker: [{ text: "worked" }],
      }),
    },
  })
  const handle = runtime.run("lead", "go", { cwd: root })
  await handle.done
  return (await results(store, handle.id))[0]
}
