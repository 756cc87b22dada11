import { type ChildProcess, spawn } from "node:child_process"
import { CadreError, type ErrorCode } from "../../../ground/errors.ts"
import type { DriverOrder, DriverReport } from "./orders.ts"

type WithoutId<One> = One extends unknown ? Omit<One, "id"> : never

/** The process that drives the runs of a server. It starts with the first order, and outlives the server. */
export interface DriverLink {
  /** Resolves with the run, once it has begun. Throws the reason if it cannot begin. */
  send(order: WithoutId<DriverOrder>): Promise<string>
  /** Lets go of the process. It ends by itself after its last run. */
  release(): void
}

export interface DriverStart {
  /** The program and its arguments. */
  readonly words: readonly [program: string, ...words: readonly string[]]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  /** Told where a run could not go on, or a driver died. */
  onTrouble(message: string): void
}

/** Milliseconds that a process without runs is kept for the next order. */
const keptIdle = 60_000

export function openDriverLink(start: DriverStart): DriverLink {
  let current: Driver | undefined
  let lastId = 0
  return {
    async send(order) {
      if (!current?.isUsable()) current = startDriver(start)
      lastId++
      return current.send({ ...order, id: lastId } as DriverOrder)
    },
    release() {
      current?.release()
      current = undefined
    },
  }
}

interface Driver {
  send(order: DriverOrder): Promise<string>
  isUsable(): boolean
  release(): void
}

interface Waiter {
  resolve(run: string): void
  reject(error: Error): void
}

function startDriver({ words: [program, ...words], directory, environment, onTrouble }: DriverStart): Driver {
  const waiters = new Map<number, Waiter>()
  // A process group of its own: hosts end servers by signals to their group.
  const child = spawn(program, words, {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    windowsHide: true,
  })
  let idle: NodeJS.Timeout | undefined
  const release = () => {
    clearTimeout(idle)
    if (child.connected) child.disconnect()
    child.unref()
  }
  const settle = (id: number): Waiter | undefined => {
    const waiter = waiters.get(id)
    waiters.delete(id)
    return waiter
  }
  child.on("message", (report: DriverReport) => {
    if (report.type === "begun") settle(report.id)?.resolve(report.run)
    else if (report.type === "refused") settle(report.id)?.reject(refusal(report))
    else if (report.type === "failed") onTrouble(`Run ${report.run} cannot go on: ${report.message}`)
    else if (waiters.size === 0) idle = setTimeout(release, keptIdle).unref()
  })
  failAllAtEnd(child, waiters, onTrouble)
  return {
    isUsable: () => child.connected,
    release,
    send: (order) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle)
        waiters.set(order.id, { resolve, reject })
        child.send(order, (error) => error && settle(order.id)?.reject(error))
      }),
  }
}

function failAllAtEnd(
  child: ChildProcess,
  waiters: Map<number, Waiter>,
  onTrouble: (message: string) => void,
): void {
  const fail = (why: string) => {
    for (const { reject } of waiters.values())
      reject(
        new CadreError(
          "STORE_FAILED",
          `The process that drives runs ended before it answered (${why}). The run may have begun: call status without arguments to see. Otherwise call again.`,
        ),
      )
    waiters.clear()
  }
  child.once("error", ({ message }) => fail(message))
  child.once("exit", (code, signal) => {
    if (code !== 0) onTrouble(`The process that drove runs ended: ${signal ?? `exit code ${code}`}.`)
    fail(signal ?? `exit code ${code}`)
  })
}

const refusal = ({ code, message }: DriverReport & { readonly type: "refused" }): Error =>
  new CadreError((code ?? "AGENT_INVALID") as ErrorCode, message)
