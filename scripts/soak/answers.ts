import path from "node:path"
import type { Fault, ScriptedAnswer, ServedRequest } from "../../src/faces/testing/model-server/answer.ts"
import type { Places } from "./world.ts"

/**
 * What the model says: which agent asks, for what and in which turn is read from the request, so that a resumed run is
 * answered as the first one was. A part of the requests meets a fault first, at most twice in a turn.
 */
export class Answers {
  readonly #work: string
  readonly #random: () => number
  /** By what was asked, as long as it may be asked again. */
  readonly #faults = new Map<string, number>()
  faults = 0

  constructor({ work }: Pick<Places, "work">, random: () => number) {
    this.#work = work
    this.#random = random
  }

  answer({ body, text }: ServedRequest): ScriptedAnswer {
    const agent = /You are (\w+)\./.exec(text)?.[1]
    const [, number = "", part = "main"] = /soak (\d+) (\w+)/.exec(text) ?? []
    const messages = body.messages as readonly { readonly role: string }[]
    const turn = messages.filter(({ role }) => role === "assistant").length
    const key = `${agent} ${number} ${part} ${turn}`
    const met = this.#faults.get(key) ?? 0
    const fault = met < 2 ? this.#draw() : undefined
    if (fault) {
      this.faults++
      this.#faults.set(key, met + 1)
    } else this.#faults.delete(key)
    const said = this.#script(String(agent), number, part)[turn] ?? { text: "done" }
    return { ...said, delayMs: this.#random() * 150, ...(fault && { fault }) }
  }

  #draw(): Fault | undefined {
    const drawn = this.#random()
    if (drawn < 0.02) return { type: "status", status: 429, headers: { "retry-after": "0" } }
    if (drawn < 0.03) return { type: "status", status: 500 }
    if (drawn < 0.05) return { type: "cut", afterBytes: 120, how: "reset" }
    if (drawn < 0.06) return { type: "no-terminal" }
    if (drawn < 0.065) return { type: "stall", afterBytes: 60 }
    return undefined
  }

  #script(agent: string, number: string, part: string): readonly ScriptedAnswer[] {
    const call = (tool: string, input: Readonly<Record<string, string | number>>) => ({
      tool,
      arguments: input,
    })
    const bash = (command: string) => call("Bash", { command, cwd: number })
    const file = path.join(this.#work, number, `${part}.txt`)
    switch (agent) {
      case "editor":
        return [
          { calls: [call("Write", { file_path: file, content: "first\n" })] },
          { calls: [call("Read", { file_path: file }), bash(noted("sleep 0.05"))] },
          {
            calls: [call("Edit", { file_path: file, old_string: "first\n", new_string: "first\nsecond\n" })],
          },
          // What it leaves behind is to be gone.
          { calls: [bash(noted("sleep 300 & setsid sleep 300 & disown -a"))] },
        ]
      case "lead":
        return [
          {
            calls: ["left", "right"].map((side) =>
              call("Agent", { agent: "editor", prompt: `soak ${number} ${side}` }),
            ),
          },
          { calls: [bash(noted("true"))] },
        ]
      case "careful":
        return [{ calls: [bash(noted("true"))] }]
      default:
        return [{ calls: [bash(noted("sleep 120"))] }]
    }
  }
}

/** A command that says in a ledger that it began, and that it came to its end. */
const noted = (command: string): string =>
  `printf '%s start\\n' "$CADRE_RUN" >> ledger; ${command}${command.endsWith("-a") ? ";" : " &&"} printf '%s end\\n' "$CADRE_RUN" >> ledger`
