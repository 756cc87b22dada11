import type { AgentSource } from "../../../agent/agent.ts"
import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { painter } from "../../../ground/diagnostics/paint.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { CommandContext, Screen } from "../command.ts"
import type { Looks } from "../shown-agent.ts"
import { emptyView, foldView, viewLines } from "./view.ts"
import type { Watcher } from "./watcher.ts"

/** At most ten times a second. */
const interval = 100

/** Draws a tree in place, on stderr. Between `pause` and `go` nothing is drawn, so that a person can be asked. */
export function liveScreen(
  { stderr, colour }: Pick<CommandContext, "stderr" | "colour">,
  screen: Screen,
  agents: Pick<AgentSource, "find">,
): Watcher {
  const paint = painter(colour)
  const looks = new Map<string, Looks>()
  let view = emptyView
  let drawn: readonly string[] = []
  let paused = false

  const erase = () => {
    if (drawn.length === 0) return ""
    const { columns } = screen.size()
    // A terminal that was made narrower has wrapped what was drawn.
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    drawn = []
    return `\u001b[${rows}A\r\u001b[J`
  }
  const draw = () => {
    if (paused || view.size === 0) return
    const lines = viewLines(view, { now: Date.now(), size: screen.size(), paint, looks })
    const text = `${erase()}${lines.map((line) => `${line}\n`).join("")}`
    drawn = lines
    stderr.write(text)
  }
  const timer = setInterval(draw, interval)
  const unlisten = screen.onResize(draw)

  return {
    see(event: LiveEvent) {
      if (event.type === "run-start") looks.set(event.agent, agents.find(event.agent) ?? {})
      view = foldView(view, event)
    },
    note(line) {
      stderr.write(`${erase()}${line}\n`)
      draw()
    },
    pause() {
      stderr.write(erase())
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
      drawn = []
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const widthOf = (line: string): number => displayWidth(line.replaceAll(/\u001b\[[\d;]*m/g, ""))
