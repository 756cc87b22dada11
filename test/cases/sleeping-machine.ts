/** A machine that can be put to sleep: its clock and its timers go on while nothing runs, as on macOS and Windows. */
export interface SleepingMachine {
  sleep(milliseconds: number): void
  restore(): void
}

type Callback = (...given: unknown[]) => void
interface Pending {
  readonly due: number
  readonly callback: Callback
  readonly given: readonly unknown[]
}

/** Timers that are set from here on are this machine's, until it is restored. */
export function sleepingMachine(): SleepingMachine {
  const { setTimeout: set, clearTimeout: clear, performance: clock } = globalThis
  const realNow = clock.now.bind(clock)
  const pending = new Map<unknown, Pending>()
  const moved = new Map<unknown, NodeJS.Timeout>()
  let slept = 0
  clock.now = () => realNow() + slept

  const begin = (wait: number, timer: () => NodeJS.Timeout, pend: Pending): NodeJS.Timeout =>
    set(() => {
      if (pending.delete(timer())) pend.callback(...pend.given)
    }, wait)
  const setMoved = (callback: Callback, wait = 1, ...given: unknown[]): NodeJS.Timeout => {
    const pend = { due: clock.now() + wait, callback, given }
    const timer: NodeJS.Timeout = begin(wait, () => timer, pend)
    pending.set(timer, pend)
    return timer
  }
  globalThis.setTimeout = setMoved as typeof set
  globalThis.clearTimeout = ((timer: NodeJS.Timeout | undefined) => {
    pending.delete(timer)
    clear(timer)
    clear(moved.get(timer))
    moved.delete(timer)
  }) as typeof clear

  return {
    sleep(milliseconds) {
      slept += milliseconds
      for (const [timer, pend] of pending) {
        clear(timer as NodeJS.Timeout)
        clear(moved.get(timer))
        const wait = Math.max(0, pend.due - clock.now())
        moved.set(
          timer,
          begin(wait, () => timer as NodeJS.Timeout, pend),
        )
      }
    },
    restore() {
      globalThis.setTimeout = set
      globalThis.clearTimeout = clear
      Reflect.deleteProperty(clock, "now")
    },
  }
}
