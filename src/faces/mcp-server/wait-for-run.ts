import { readClock } from "../../run/log/clock.ts"
import type { RunEvent } from "../../run/log/event.ts"
import { createActivity } from "./activity.ts"
import { type RunStanding, readRunStanding } from "./run-standing.ts"
import type { ServedProject } from "./served-project.ts"

export interface RunWait {
  /** The time to answer at, on the clock of events. */
  readonly until: number
  /** Aborts when the host no longer wants the answer. The run goes on. */
  readonly signal: AbortSignal
  /** Tells what the tree does. Called again and again, also where nothing has changed. */
  tell(text: string): void
}

/** Waits until a run has ended, rests, lost its process, or the time is over. */
export async function waitForRun(
  project: ServedProject,
  run: string,
  { until, signal, tell }: RunWait,
): Promise<RunStanding> {
  let standing = await readRunStanding(project, run)
  while (standing.state === "running" && readClock() < until && !signal.aborted) {
    await watch(project, standing.result.run, { until, signal, tell })
    standing = await readRunStanding(project, run)
  }
  return standing
}

/** Milliseconds after which a run is looked at again, in case that its process has died. */
const lookAgain = 2_000

/** The same after an event that may end the wait: the run rests, or a fallback begins, a moment later. */
const lookSoon = 200

/** Follows one tree for a while, and for less where something happens that may end the wait. */
async function watch(project: ServedProject, root: string, { until, signal, tell }: RunWait): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  const activity = createActivity()
  const begun = readClock()
  let timer = setTimeout(end, Math.max(0, Math.min(lookAgain, until - begun)))
  signal.addEventListener("abort", end, { once: true })
  try {
    for await (const event of project.runtime.follow(root, stop.signal)) {
      activity.see(event)
      // Events from before come first.
      if (event.at < begun - lookSoon || !mayEndWait(event, root)) continue
      clearTimeout(timer)
      timer = setTimeout(end, lookSoon)
    }
    tell(activity.text())
  } finally {
    clearTimeout(timer)
    signal.removeEventListener("abort", end)
  }
}

const mayEndWait = (event: RunEvent, root: string): boolean =>
  event.type === "approval-start" || (event.type === "run-end" && event.run === root)
