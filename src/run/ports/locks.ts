/** Lets work with the same key run one after the other, in this process. */
export class Locks {
  readonly #queues = new Map<string, Turn[]>()

  /** Joins the queue for a key. */
  wait(key: string): Turn {
    const queue = this.#queues.get(key) ?? []
    this.#queues.set(key, queue)
    const turn = new Turn(() => {
      queue.splice(queue.indexOf(turn), 1)
      if (queue.length > 0) queue[0]!.begin()
      else this.#queues.delete(key)
    })
    queue.push(turn)
    if (queue.length === 1) turn.begin()
    return turn
  }
}

/** One place in a queue: its turn comes, or it is left before. Leaving it lets the next one begin. */
class Turn {
  readonly done: Promise<"begin" | "left">
  isSettled = false
  #settle!: (how: "begin" | "left") => void
  #leave: (() => void) | undefined

  constructor(leave: () => void) {
    this.#leave = leave
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  begin(): void {
    this.isSettled = true
    this.#settle("begin")
  }

  /** Leaves the queue before the turn has come. */
  abort(): void {
    this.leave()
  }

  leave(): void {
    const leave = this.#leave
    this.#leave = undefined
    this.isSettled = true
    this.#settle("left")
    leave?.()
  }
}
