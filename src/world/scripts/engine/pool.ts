import { EngineProcess } from "./process.ts"

/** Processes that wait for the next script. Only one that ended its script by itself is used again. */
const idle: { readonly engine: EngineProcess; readonly timer: NodeJS.Timeout }[] = []

const mostIdle = 4
const idleTime = 60_000

/** A process that has said, or will say, that it is ready. */
export function takeEngine(): EngineProcess {
  for (let one = idle.pop(); one; one = idle.pop()) {
    clearTimeout(one.timer)
    if (one.engine.isLost) continue
    one.engine.hold("busy")
    one.engine.rejoin()
    return one.engine
  }
  return new EngineProcess()
}

export function giveEngine(engine: EngineProcess): void {
  if (idle.length >= mostIdle) return engine.kill()
  engine.hold("idle")
  const timer = setTimeout(() => drop(engine), idleTime)
  timer.unref()
  idle.push({ engine, timer })
}

function drop(engine: EngineProcess): void {
  const at = idle.findIndex((one) => one.engine === engine)
  if (at >= 0) idle.splice(at, 1)
  engine.kill()
}
