import { existsSync } from "node:fs"
import path from "node:path"
import { CommandWorld } from "../run-command-kit.ts"

/** A lifecycle file in the shape in which Gobby installs its own. */
export const lifecycle = `name: house-rules
description: "What holds in every session"
enabled: true
priority: 10
sources: [claude, gemini, codex]

variables:
  max_looks: 2
  require_plan: true

session_variables:
  looks: 0
  planned: false

observers:
  - name: calls
    behavior: mcp_call_tracking

triggers:
  on_session_start:
    - action: set_variable
      name: planned
      value: true
    - action: inject_context
      template: |
        House rule one of {{ project.name }}: be brief.
    - action: memory_sync_import

  on_before_tool:
    - action: block_tools
      rules:
        - tools: [Bash]
          command_pattern: "\\\\btouch\\\\s+forbidden\\\\b"
          when: "require_plan and variables.get('planned')"
          reason: "No touching of {{ tool_input.get('command') }}."
        - tools: [Write]
          when: "looks >= max_looks"
          reason: "Looked {{ variables.looks }} times already."
    - action: spawn_agent
      when: "tool_name == 'Bash' and 'pytest' in command"
      agent: validation-runner
      prompt: "Run and report: {{ tool_input.command }}"

  on_after_tool:
    - action: increment_variable
      when: "event.data.get('tool_name') == 'Read'"
      name: looks
`

/** A project of Gobby's, with an agent of each of two formats, for real processes of the built command. */
export class GobbyWorld extends CommandWorld {
  readonly file = ".gobby/workflows/lifecycle/house-rules.yaml"

  constructor() {
    super()
    this.put("config/config.yaml", 'sandbox: "off"\n')
    this.put("work/notes.txt", "one\n")
    this.put(`work/${this.file}`, lifecycle)
    this.agent("worker", [], "work/.claude/agents")
    this.put(
      "work/.gobby/agents/validation-runner.yaml",
      "name: validation-runner\ndescription: Runs what is to be validated.\nmode: headless\ninstructions: Run it.\n",
    )
    this.script({
      worker: [
        { calls: [{ tool: "Bash", input: { command: "touch forbidden" } }] },
        { calls: [{ tool: "Read", input: { path: "notes.txt" } }] },
        { text: "Done." },
      ],
      "validation-runner": [{ text: "3 passed" }],
    })
  }

  run(...words: readonly string[]) {
    return this.cadre("run", "worker", "Go.", "--yes", ...words, ...this.model)
  }

  /** Whether the call that is to stay blocked has run. */
  get isTouched(): boolean {
    return existsSync(path.join(this.work, "forbidden"))
  }

  /** Of a run and those below it, what hooks and calls came to. */
  async events(id: string) {
    const { stdout } = await this.cadre("log", id, "--json")
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  }
}
