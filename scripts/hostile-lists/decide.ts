import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import type { RuleDecision } from "../../src/agent/agent.ts"
import { getModeRules, type PermissionMode } from "../../src/definitions/authority/mode.ts"
import { judge } from "../../src/run/rights/rights.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { makePattern } from "../shell-trace-fuzz/world.ts"
import type { HostileList } from "./lines.ts"

/** The decision about a hostile command, under rules about the file that the command targets. */
export interface Decisions {
  readonly denied: RuleDecision
  readonly asked: RuleDecision
  /** The same where a rule allows the program by its name; left out for what nobody knows, which that rule speaks of. */
  readonly deniedBesideName?: RuleDecision
  readonly askedBesideName?: RuleDecision
  /** Under a rule that asks, with the sandbox where there is one. */
  readonly askedInSandbox: RuleDecision
}

/** Decides about hostile commands in a small workspace that has the files which they name. */
export class HostileBench {
  readonly #base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-hostile-lists-")))
  readonly #root = path.join(this.#base, "w")

  constructor() {
    makePattern(this.#base)
  }

  close(): void {
    fs.rmSync(this.#base, { recursive: true, force: true })
  }

  async decide(line: string, { tool, target }: HostileList): Promise<Decisions> {
    const about = `${tool}(${this.#root}/${target})`
    const allow = [`Bash(${/^[\w./-]+/.exec(line)?.[0] ?? "x"}:*)`]
    const isUnknown = (await this.#accesses(line, "off")).some(
      (access) => access.type === "command" && access.loose,
    )
    return {
      denied: await this.#decided(line, "bypass", { deny: [about] }, "off"),
      asked: await this.#decided(line, "bypass", { ask: [about] }, "off"),
      ...(!isUnknown && {
        deniedBesideName: await this.#decided(line, "default", { deny: [about], allow }, "off"),
        askedBesideName: await this.#decided(line, "default", { ask: [about], allow }, "off"),
      }),
      askedInSandbox: await this.#decided(line, "bypass", { ask: [about] }, "preferred"),
    }
  }

  async #decided(
    line: string,
    mode: PermissionMode,
    said: Readonly<Partial<Record<RuleDecision, readonly string[]>>>,
    sandbox: "off" | "preferred",
  ): Promise<RuleDecision> {
    const { rules: more, otherwise } = getModeRules(mode, this.#root)
    const rules = (["allow", "ask", "deny"] as const).flatMap((decision) =>
      (said[decision] ?? []).map((tool) => ({ tool, decision })),
    )
    const rights = [{ of: "the configuration", rules: [...rules, ...more], otherwise }]
    return judge(rights, { tool: "Bash", accesses: await this.#accesses(line, sandbox) }).decision
  }

  async #accesses(command: string, sandbox: "off" | "preferred") {
    const bash = createBashTool({ root: this.#root, sandbox })
    if (bash.kind !== "function") throw new Error("Bash is a function.")
    return bash.accesses!({ command }, { cwd: this.#root })
  }
}
