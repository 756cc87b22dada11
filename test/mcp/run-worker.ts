/** Runs an agent that calls one tool of a server, until it is killed. */
import { type Agent, defineAgent } from "../../src/agent/agent.ts"
import type { McpServers } from "../../src/agent/mcp-server.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { type ModelScript, scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"

const { directory, cwd, servers, brought, script } = JSON.parse(process.argv[2]!) as {
  readonly directory: string
  readonly cwd: string
  readonly servers: McpServers
  /** The servers of the agent itself. */
  readonly brought?: Agent["mcpServers"]
  readonly script: ModelScript
}
const runtime = createRuntime({
  store: jsonlStore({ directory }),
  agents: [
    defineAgent({
      name: "worker",
      instructions: "Work.",
      tools: ["mcp__srv__*"],
      ...(brought && { mcpServers: brought }),
    }),
  ],
  models: { script: scriptedModel(script) },
  mcpServers: servers,
})
const handle = runtime.run("worker", "Do it.", { cwd })
process.stdout.write(handle.id)
await handle.done
