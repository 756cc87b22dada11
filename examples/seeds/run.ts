/** Files of four tools, as those tools have them: each is sound, and each runs on the model that it names itself. */
import assert from "node:assert/strict"
import path from "node:path"
import { builtInTools, createRuntime, memoryStore } from "cadre"
import { openWorkspace } from "cadre/files"
import { startModelServer } from "cadre/testing"

const look = { tool: "Read", arguments: { file_path: "../README.md" } }
const compare = { tool: "GitDiff", arguments: {} }
// A strict local server takes the place of Anthropic and of OpenAI, each in its own protocol.
const server = await startModelServer({
  script({ body, text }) {
    if (/"tool_use_id":|"role":"tool"/.test(text)) return { text: `Done, by ${body.model}.` }
    return { calls: [text.includes('"name":"Read"') ? look : compare] }
  },
})
Object.assign(process.env, {
  ANTHROPIC_BASE_URL: server.url,
  ANTHROPIC_API_KEY: "test-key",
  OPENAI_BASE_URL: server.url,
  OPENAI_API_KEY: "test-key",
})

const root = import.meta.dirname
// The home folder is one that is not there, so that only the project's own files are found.
const home = path.join(root, "home")
const ran: string[] = []
for (const source of ["acai", "claude", "codex", "gobby"]) {
  const cwd = path.join(root, source)
  const { registry, skills } = openWorkspace({ cwd, home, environment: {}, builtInAgents: "none" })
  assert.deepEqual([source, registry.errors()], [source, {}])
  const runtime = createRuntime({
    agents: registry,
    tools: builtInTools({ root, skills }),
    skills,
    absentTools: { WebSearch: "nobody is set up to search" },
    // What the file of a PHP project calls `anthropic` is a preset of its configuration.
    models: { anthropic: { provider: "anthropic", model: "sonnet" } },
    store: memoryStore(),
  })
  for (const agent of registry.names()) {
    const { outcome, output, proof } = await runtime.run(agent, "Look around.", { cwd }).done
    console.log(`${source}: ${agent}: ${output}`, proof.evidence.calls, proof.warnings)
    assert.deepEqual([agent, outcome], [agent, { type: "completed" }])
    ran.push(`${source} ${agent} ${proof.model.source} ${proof.model.resolved.split("-")[0]}`)
  }
  await runtime.close()
}
assert.deepEqual(ran, [
  "acai code-reviewer definition anthropic/claude",
  "acai researcher default anthropic/claude",
  "acai test-writer default anthropic/claude",
  "claude api-designer definition anthropic/claude",
  "claude code-reviewer definition anthropic/claude",
  "claude test-generator default anthropic/claude",
  "codex reviewer definition openai/gpt",
  "gobby validation-runner definition anthropic/claude",
])
await server.close()
