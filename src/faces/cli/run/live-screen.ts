import type { AgentSource } from "../../../agent/agent.ts"
import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { createPainter } from "../../../ground/diagnostics/paint.ts"
import { CallReader } from "../../../run/explain/calls.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { AgentLook } from "../agent-look.ts"
import type { CommandContext, Screen } from "../command.ts"
import { describeFinishedCall } from "./finished-call.ts"
import { emptyView, foldView, writeViewLines } from "./view.ts"
import type { Watcher } from "./watcher.ts"

/** Milliseconds between two drawings. */
const interval = 100

/** Draws a tree of runs in place, on stderr. Finished calls stay as lines above it. Nothing is drawn between `pause` and `go`, so that a person can be asked. */
export function createLiveScreen(
  { stderr, colour }: Pick<CommandContext, "stderr" | "colour">,
  screen: Screen,
  agents: Pick<AgentSource, "find">,
): Watcher {
  const paint = createPainter(colour)
  const looks = new Map<string, AgentLook>()
  let view = emptyView
  let drawnLines: readonly string[] = []
  let paused = false
  const calls = new CallReader()
  /** Lines about finished calls, which stay above the tree. */
  let finished: string[] = []

  const erase = () => {
    if (drawnLines.length === 0) return ""
    const { columns } = screen.size()
    // If the terminal became narrower, it wrapped the drawn lines.
    const rows = drawnLines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    drawnLines = []
    return `\u001b[${rows}A\r\u001b[J`
  }
  const draw = () => {
    if (paused || view.size === 0) return
    const lines = writeViewLines(view, { now: Date.now(), size: screen.size(), paint, looks })
    const text = `${erase()}${[...finished, ...lines].map((line) => `${line}\n`).join("")}`
    finished = []
    drawnLines = lines
    stderr.write(text)
  }
  const timer = setInterval(draw, interval)
  const unlisten = screen.onResize(draw)

  return {
    see(event: LiveEvent) {
      if (event.type === "run-start") looks.set(event.agent, agents.find(event.agent) ?? {})
      view = foldView(view, event)
      const call = event.type === "text-delta" ? undefined : calls.take(event)
      if (call) finished.push(describeFinishedCall(call, { paint, columns: screen.size().columns }))
    },
    note(line) {
      stderr.write(`${erase()}${line}\n`)
      draw()
    },
    pause() {
      // Calls that ended before the question stay above it.
      stderr.write(`${erase()}${finished.map((line) => `${line}\n`).join("")}`)
      finished = []
      paused = true
    },
    go() {
      paused = false
    },
    end() {
      clearInterval(timer)
      unlisten()
      paused = false
      draw()
      drawnLines = []
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const widthOf = (line: string): number => displayWidth(line.replaceAll(/\u001b\[[\d;]*m/g, ""))
