/**
 * The interface of a store, which holds logs. Only the owner of a run appends to its log; all others send
 * letters.
 * `testing/store-contract.ts` is this interface as a test suite: a store that passes it may be used.
 */

/** One event as the store sees it: plain JSON of any type. */
export interface StoredEvent {
  /** The id of the run that the event belongs to. */
  readonly run: string
  /** The number of the event in its run: 0, 1, 2, … without a gap. */
  readonly seq: number
  /** The time of the event, in milliseconds since 1970. */
  readonly at: number
  /** The version of the event's shape. */
  readonly v: number
  /** The kind of event, such as `run-start`. The store does not interpret it. */
  readonly type: string
  /**
   * The amount that this event is about to consume from the counters of its run and every ancestor. Refused
   * beyond an allowance.
   */
  readonly charge?: StoreCharge
  /**
   * The correction of an earlier charge, usually negative. Never refused, because it has already happened.
   */
  readonly settle?: StoreCharge
  /** On a run's first event: the total that the run and everything below it may consume. */
  readonly allowance?: StoreCharge
}

/** Amounts that count against the allowances of a run and its ancestors. An absent amount is not counted. */
export interface StoreCharge {
  /** Input and output tokens together. */
  readonly tokens?: number
  /** The cost in US dollars. */
  readonly cost?: number
  /** The number of runs that are started. */
  readonly spawns?: number
}

/** A message for the owner of a run, from any process. The owner records it as an event. */
export interface Letter {
  /** The id of the run that it is for. */
  readonly run: string
  /** Sending the same key twice is the same as sending it once. */
  readonly key: string
  /** The time of sending, in milliseconds since 1970. */
  readonly at: number
  /** The content as plain JSON. `type` is `message`, `approval` or `cancel`. */
  readonly body: { readonly type: string }
}

/** The right to append to a log. A claim becomes stale when another owner takes over. */
export interface Claim {
  /** The run that was claimed: for a tree, its root. */
  readonly run: string
  /** A number that grows with every new owner. A claim with an older number is stale. */
  readonly epoch: number
  /** `tree`: this claim is for every run below the root. `run`: for this run alone. */
  readonly covers: "tree" | "run"
}

/**
 * The reason why a store refuses. `owned`: a live process has the claim. `stale`: the claim was taken over.
 */
export type StoreRefusal =
  | { readonly type: "owned"; readonly by: string }
  | { readonly type: "stale"; readonly message: string }
  | { readonly type: "damaged"; readonly message: string }
  | {
      readonly type: "limit"
      /** The run whose allowance is too small: the run that appends, or an ancestor. */
      readonly run: string
      readonly limit: keyof StoreCharge
      readonly remaining: number
      readonly message: string
    }
  /** The tree was to be removed only if it has ended, and this run has not. */
  | { readonly type: "open"; readonly run: string }
  | { readonly type: "unknown-run" }

/** The summary of a run that `list` gives without folding its log. */
export interface RunHead {
  /** The id of the run. */
  readonly run: string
  /** The name of its agent. */
  readonly agent: string
  /** The first line of its task, cut to 200 characters. */
  readonly task?: string
  /** The model that the run asked last, or will ask first. Absent if no model drives it. */
  readonly model?: string
  /** The time of its first event, in milliseconds since 1970. */
  readonly startedAt: number
  /** The time of its last event, in milliseconds since 1970. */
  readonly updatedAt: number
  /** `ended`: nothing follows. `open`: it is at work, rests, or has to be resumed. */
  readonly status: "open" | "ended"
  /** The type of its outcome, such as `completed`. Absent: it has not ended. */
  readonly outcome?: string
  /** The number of replies that the run asked its model for. */
  readonly turns: number
  /** The number of runs that it started itself. */
  readonly children: number
  /** `inclusive` also counts the children that have ended. */
  readonly usage: { readonly own: HeadUsage; readonly inclusive: HeadUsage }
  /** The number of calls that wait for a person. Absent: none. */
  readonly asks?: number
  /** The ended run whose history this run continues. */
  readonly continues?: string
  /** For a root: its whole tree. */
  readonly tree?: TreeHead
  /** The damage of the run's log. In a list of roots: the damage anywhere in the tree. */
  readonly damage?: string
}

/** The usage of a run. An absent number is unknown, not zero. */
export interface HeadUsage {
  readonly tokens?: number
  readonly cost?: number
}

export interface TreeHead {
  readonly runs: number
  /** The number of runs that have not ended. */
  readonly open: number
  /** The roots of other trees that runs of this tree continue. */
  readonly needs?: readonly string[]
}

/** The runs that `list` gives, and their order. A run must meet all conditions. */
export interface RunQuery {
  /** Lists every run of this tree in the order of creation, in place of roots. */
  readonly root?: string
  readonly agent?: string
  readonly status?: RunHead["status"]
  readonly outcome?: string
  readonly model?: string
  /** The run started at this time or later, and before that one, in milliseconds since 1970. */
  readonly since?: number
  readonly before?: number
  /** All of these words are in the first line of the task, in upper or lower case. */
  readonly task?: string
  /** The order of roots. Default: `newest`. */
  readonly order?: "newest" | "oldest"
  readonly limit?: number
  /** The last run of the previous page: the list continues after it. */
  readonly cursor?: string
}

/** The readable events of one piece of a tree's log, in recorded order. */
export type LogPiece =
  /**
   * `mended`: one bit of the event was wrong and has been corrected; the log itself still has the wrong bit.
   */
  | { readonly type: "event"; readonly event: StoredEvent; readonly mended?: true }
  /**
   * A part that cannot be read. `run` and `seq` name the event that it must have been, where that is known.
   */
  | {
      readonly type: "damage"
      readonly reason: string
      readonly run?: string
      readonly seq?: number
      /** The damage includes the owner's name, so only `force` can take the claim. */
      readonly owner?: "lost"
    }

/** A place for the logs of runs. `storeContract` of `cadre/testing` tests an implementation. */
export interface Store {
  /** Creates a run by recording its first event (seq 0). An existing run is left as it is. */
  create(first: StoredEvent): Promise<"created" | "exists">
  /**
   * Becomes the owner. A live owner refuses; `force` takes over even if the current owner might still be
   * alive.
   * `repair` repairs a damaged log and keeps the original beside it. Every readable event stays, and every
   * other becomes an `event-lost` in its place. A `log-repair` of the root records this. A log that has lost
   * its first event is refused.
   */
  claim(run: string, options?: { force?: true; repair?: true }): Promise<Claim | StoreRefusal>
  /**
   * Gives the claim up, unless a letter has come since the last one was received: then the owner goes on. With `leave`,
   * letters stay for the next owner.
   */
  release(claim: Claim, letters?: "heed" | "leave"): Promise<"released" | "letters">
  /**
   * Appends in order, all or nothing. The same step checks the counters of every charged run and its
   * ancestors.
   * Resolves when the kernel has the events; with `sync`, when the disk has. Throws when the medium fails.
   */
  append(
    claim: Claim,
    events: readonly StoredEvent[],
    options?: { sync?: true },
  ): Promise<"ok" | StoreRefusal>
  /**
   * The events of one run from `from` on (default 0). An unknown run has none. Throws LOG_DAMAGED at a
   * damaged place.
   */
  read(run: string, from?: number): AsyncIterable<StoredEvent>
  /**
   * All that is readable of a tree's log, before and after every damage. A store without it has logs that
   * cannot be damaged.
   */
  examine?(root: string): AsyncIterable<LogPiece>
  /** Leaves a letter. `delivered`: a live owner reads it. `waiting`: it waits for the next owner. */
  send(letter: Letter): Promise<"delivered" | "waiting">
  /**
   * Letters for everything that the claim covers, waiting ones first. Ends with the signal or when another
   * owner takes over.
   * The next owner gets unacknowledged letters again.
   */
  receive(claim: Claim, signal: AbortSignal): AsyncIterable<Letter & { ack(): void }>
  /**
   * Root runs, newest first; with `root`, every run of that tree in creation order. `stores/heads.ts` has
   * both parts.
   */
  list(query?: RunQuery): AsyncIterable<RunHead>
  /**
   * The events of a whole tree in recorded order, then live ones, until the signal. `from` has the first
   * event to read of each run.
   */
  follow(
    root: string,
    from: Readonly<Record<string, number>>,
    signal: AbortSignal,
  ): AsyncIterable<StoredEvent>
  /** Stores bytes under the hash of their content, in the tree of `run`. */
  putBlob(run: string, content: string): Promise<string>
  /** The content that `putBlob` stored under this hash, in the tree of `run`. Undefined: there is none. */
  getBlob(run: string, hash: string): Promise<string | undefined>
  /**
   * Takes a key for a run that is about to be created, until that run ends or is removed. If another run has
   * the key, the result names that run. A run that was never created holds its key as long as its process
   * lives.
   */
  hold(run: string, key: string): Promise<"held" | { readonly run: string }>
  /** The run that has a key now. A store without it can tell only by `hold`. */
  holder?(key: string): Promise<string | undefined>
  /** Gives up the key of a run that will not be created. */
  letGo(run: string, key: string): Promise<void>
  /** Deletes a tree that has no live owner; with `ended`, only if all its runs have ended. */
  remove(root: string, options?: { ended?: true }): Promise<"removed" | StoreRefusal>
  /** Ends open streams and gives up all claims of this store. Later calls throw STORE_FAILED. */
  close(): Promise<void>
}

export const isRefusal = (value: object | string): value is StoreRefusal =>
  typeof value === "object" && "type" in value
