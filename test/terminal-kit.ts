import { spawn, spawnSync } from "node:child_process"
import { displayWidth, splitGraphemes } from "../src/ground/diagnostics/display-width.ts"

/** Gives a program a terminal of its own. */
const recorder = "script"

export const hasTerminals = /util-linux/.test(
  spawnSync(recorder, ["--version"], { encoding: "utf8" }).stdout ?? "",
)

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

interface Opening {
  readonly cwd: string
  readonly environment: NodeJS.ProcessEnv
  readonly size?: TerminalSize
  /** A line of shell before the program. */
  readonly before?: string
  /** `on`: the terminal shows typed text. Default: off. */
  readonly echo?: "on"
}

/** A program in a terminal: what it has written, and keys for it. */
export function openTerminal(
  program: readonly string[],
  { cwd, environment, size = { columns: 120, rows: 24 }, before = "", echo }: Opening,
) {
  const quoted = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  const line = `stty cols ${size.columns} rows ${size.rows} ${echo ? "" : "-"}echo; ${before}exec ${quoted.join(" ")}`
  const child = spawn(recorder, ["-qec", line, "/dev/null"], {
    cwd,
    env: { TERM: "xterm-256color", SHELL: "/bin/sh", ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  })
  const state = {
    raw: "",
    type: (text: string) => void child.stdin.write(text),
    async shows(pattern: RegExp) {
      while (!pattern.test(plain(state.raw))) {
        if (child.exitCode !== null) throw new Error(`It never showed ${pattern}:\n${state.raw}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    /** All text so far, once a question is open: wrong words fail at once then, and not when time runs out. */
    async question() {
      await state.shows(/\[y\/N\] $/)
      return plain(state.raw)
    },
    ended: new Promise<{ code: number | null; raw: string }>((resolve) =>
      child.on("close", (code) => resolve({ code, raw: state.raw })),
    ),
  }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (state.raw += text))
  return state
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
export const plain = (text: string): string => text.replaceAll(/\u001b\[[\d;]*[a-zA-Z]|\r/g, "")

/** Reads the final screen, with lines that have scrolled away, and the most rows that were taken back at once. */
export function screenOf(raw: string, { columns } = { columns: 120 }) {
  const lines: string[] = [""]
  let row = 0
  let column = 0
  let tallest = 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is made of them.
  for (const [token, count, kind] of raw.matchAll(/\u001b\[([\d;]*)([a-zA-Z])|\r|\n|[^\u001b\r\n]+/g)) {
    if (token === "\r") column = 0
    else if (token === "\n") row++
    else if (kind === "A") {
      tallest = Math.max(tallest, Number(count))
      row = Math.max(0, row - Number(count))
    } else if (kind === "J") {
      lines.length = row + 1
      lines[row] = (lines[row] ?? "").slice(0, column)
    } else if (kind === undefined)
      for (const grapheme of splitGraphemes(token)) {
        if (column + displayWidth(grapheme) > columns) {
          row++
          column = 0
        }
        while (lines.length <= row) lines.push("")
        const line = lines[row]!
        lines[row] = line.slice(0, column).padEnd(column) + grapheme + line.slice(column + grapheme.length)
        column += grapheme.length
      }
    while (lines.length <= row) lines.push("")
  }
  return { lines: lines.filter((line) => line !== ""), tallest }
}
