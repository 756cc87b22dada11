import { applyRunEvent, emptyRunState, type RunEvent, type RunState } from "cadre"

/** Shows a tree: redrawn in place on a terminal, one line a change elsewhere. */
export class Screen {
  readonly states = new Map<string, RunState>()
  readonly #doing = new Map<string, string>()
  readonly #begun = performance.now()
  readonly #redraws = process.stdout.isTTY === true && process.env.TERM !== "dumb"
  #drawn = 0

  add(event: RunEvent): void {
    const state = applyRunEvent(this.states.get(event.run) ?? emptyRunState(event.run), event)
    this.states.set(event.run, state)
    const doing = describe(state)
    if (doing === undefined || doing === this.#doing.get(event.run)) return
    this.#doing.set(event.run, doing)
    if (this.#redraws) return this.#redraw()
    const seconds = ((performance.now() - this.#begun) / 1000).toFixed(1)
    process.stdout.write(`${seconds.padStart(5)} s  ${this.#line(state)}\n`)
  }

  /** Text on the screen stays there; the tree is drawn below. */
  say(text = ""): void {
    this.#drawn = 0
    console.log(text)
  }

  #redraw(): void {
    const lines = [...this.states.values()].map((state) => `${this.#line(state)}\n`)
    const back = this.#drawn > 0 ? `\u001b[${this.#drawn}A\u001b[0J` : ""
    this.#drawn = lines.length
    process.stdout.write(back + lines.join(""))
  }

  #line(state: RunState): string {
    const { depth, agent } = state.start!
    const name = `${"   ".repeat(depth)}${depth > 0 ? "└─ " : ""}${agent}`.padEnd(14)
    const width = Math.max(20, (process.stdout.columns || 120) - 18)
    return `  ${paint("bold", name)} ${clip(this.#doing.get(state.run) ?? "", width)}`
  }
}

const codes = { bold: 1, red: 31, green: 32, cyan: 36 }
const colours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb"

export const paint = (style: keyof typeof codes, text: string): string =>
  colours ? `\u001b[${codes[style]}m${text}\u001b[0m` : text

/** Text that an agent wrote may hold anything; a terminal must not obey it. */
export const plain = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character === "\n" ? " " : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )

/** Undefined: between two things, so what it did before is still to be seen. */
function describe(state: RunState): string | undefined {
  const { end, phase, turn, children } = state
  if (end) return `${end.outcome.type}: "${plain(end.output)}"`
  if (phase.type === "calling")
    return `asks its model, turn ${turn}${phase.start.attempt > 1 ? ", once more" : ""}`
  if (children.length > 0) return `waits for ${[...children].map(({ agent }) => agent).join(" and ")}`
  const open = [...state.calls].filter(({ status, report }) => status !== "ended" && report === undefined)
  if (open.length > 0) return open.map((call) => plain(nameCall(call))).join(", ")
  return turn === 0 ? "starts" : undefined
}

/** As in `Read article.md`. */
export function nameCall({
  tool,
  arguments: text,
}: {
  readonly tool: string
  readonly arguments: string
}): string {
  const { file, agent } = JSON.parse(text) as { readonly file?: string; readonly agent?: string }
  return `${tool} ${file ?? agent ?? ""}`
}

const clip = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text
