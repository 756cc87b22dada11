/**
 * Where logs live. Only the owner of a run appends to it; everybody else sends letters.
 * `testing/store-contract.ts` is this interface as a suite: a store that passes it may be used.
 */

/** One recorded fact, as the store sees it: plain JSON, whatever its type. */
export interface Stored {
  readonly run: string
  readonly seq: number
  readonly at: number
  readonly v: number
  readonly type: string
  /** What this event is about to consume of the counters of its run and every ancestor. Refused beyond an allowance. */
  readonly charge?: Charge
  /** What turned out after a charge: a correction, usually negative. Never refused, for it has already happened. */
  readonly settle?: Charge
  /** On a run's first event: what the run and everything below it may consume in all. */
  readonly allowance?: Charge
}

export interface Charge {
  readonly tokens?: number
  readonly cost?: number
  readonly spawns?: number
}

export interface Letter {
  readonly run: string
  /** Sending the same key twice is the same as sending it once. */
  readonly key: string
  readonly at: number
  readonly body: { readonly type: string }
}

export interface Claim {
  readonly run: string
  readonly epoch: number
  /** `tree`: this claim is for every run below the root. `run`: for this run alone. */
  readonly covers: "tree" | "run"
}

export type Refusal =
  | { readonly type: "owned"; readonly by: string }
  | { readonly type: "stale"; readonly message: string }
  | { readonly type: "damaged"; readonly message: string }
  | {
      readonly type: "limit"
      /** The run whose allowance does not suffice: the one that asked, or an ancestor. */
      readonly run: string
      readonly limit: keyof Charge
      readonly remaining: number
      readonly message: string
    }
  /** The tree was to be removed only if it has ended, and this run of it has not. */
  | { readonly type: "open"; readonly run: string }
  | { readonly type: "unknown-run" }

/** What `list` tells of a run without folding its log. */
export interface RunHead {
  readonly run: string
  readonly agent: string
  /** The first line of its task, cut to 200 characters. */
  readonly task?: string
  /** The model that it asked last, or will ask first. Absent where no model drives it. */
  readonly model?: string
  readonly startedAt: number
  readonly updatedAt: number
  readonly status: "open" | "ended"
  readonly outcome?: string
  /** How often it asked its model for a reply. */
  readonly turns: number
  /** How many runs it has started itself. */
  readonly children: number
  /** `inclusive` counts the children that have ended, too. */
  readonly usage: { readonly own: HeadUsage; readonly inclusive: HeadUsage }
  /** How many of its calls wait for a person. Absent: none. */
  readonly asks?: number
  /** The ended run whose history it goes on with. */
  readonly continues?: string
  /** Of a root: its whole tree. */
  readonly tree?: TreeHead
  /** What is wrong with its log. Among roots: what is wrong anywhere in its tree. */
  readonly damage?: string
}

/** What a run has used. A number that is absent is not known: it is not zero. */
export interface HeadUsage {
  readonly tokens?: number
  readonly cost?: number
}

export interface TreeHead {
  readonly runs: number
  /** How many of them have not ended. */
  readonly open: number
  /** Roots of other trees that runs of this one go on with. */
  readonly needs?: readonly string[]
}

/** Which runs `list` gives, and in which order. A run must meet all that is asked for. */
export interface RunQuery {
  /** Every run of this tree in the order of creation, in place of roots. */
  readonly root?: string
  readonly agent?: string
  readonly status?: RunHead["status"]
  readonly outcome?: string
  readonly model?: string
  /** Started at this time or later, and before that one, in milliseconds since 1970. */
  readonly since?: number
  readonly before?: number
  /** All of these words are in the first line of the task, in any case. */
  readonly task?: string
  /** Of roots; `newest` unless told. */
  readonly order?: "newest" | "oldest"
  readonly limit?: number
  /** The last run of the page before: the list goes on after it. */
  readonly cursor?: string
}

/** One piece of a tree's log, in recorded order, as far as it can be made out. */
export type Piece =
  /** `mended`: a bit of it was wrong and is right again; the log itself still has the wrong one. */
  | { readonly type: "event"; readonly event: Stored; readonly mended?: true }
  /** Something that cannot be read. `run` and `seq`: which event it must have been, where that can be told. */
  | {
      readonly type: "damage"
      readonly reason: string
      readonly run?: string
      readonly seq?: number
      /** With it the name of its owner is lost: only `force` takes it from whoever that is. */
      readonly owner?: "lost"
    }

export interface Store {
  /** Creates a run by recording its first event (seq 0). A run that exists is left as it is. */
  create(first: Stored): Promise<"created" | "exists">
  /**
   * Becomes the owner. A live owner refuses; `force` takes over from one that cannot be told dead.
   * `repair` mends a damaged log: what can be read is kept, an event that cannot becomes an `event-lost` in its place,
   * and a `log-repair` of the root says so. The log as it was is kept beside it. A lost first event refuses.
   */
  claim(run: string, options?: { force?: true; repair?: true }): Promise<Claim | Refusal>
  /** Gives the claim up, unless a letter came since the last one was received: then the owner goes on. */
  release(claim: Claim): Promise<"released" | "letters">
  /**
   * Appends in order, all or nothing, checking the counters of every charged run and its ancestors in the same step.
   * Resolves when the kernel has the events; with `sync`, when the disk has. Throws when the medium fails.
   */
  append(claim: Claim, events: readonly Stored[], options?: { sync?: true }): Promise<"ok" | Refusal>
  /** The events of one run from `from` on (default 0). An unknown run has none. Throws LOG_DAMAGED at a damaged place. */
  read(run: string, from?: number): AsyncIterable<Stored>
  /** All that can be read of a tree's log, before and after every damage. Without it, logs here cannot be damaged. */
  examine?(root: string): AsyncIterable<Piece>
  /** Leaves a letter. `delivered`: an owner is alive to read it. `waiting`: it waits for the next one. */
  send(letter: Letter): Promise<"delivered" | "waiting">
  /**
   * Letters for everything the claim covers, waiting ones first, until the signal or until another owner takes over.
   * Unacknowledged ones come again to the next owner.
   */
  receive(claim: Claim, signal: AbortSignal): AsyncIterable<Letter & { ack(): void }>
  /** Root runs, newest first; with `root`, every run of that tree in creation order. `stores/heads.ts` has both parts. */
  list(query?: RunQuery): AsyncIterable<RunHead>
  /** The events of a whole tree in recorded order, then live ones, until the signal. `from` says per run what is already known. */
  follow(root: string, from: Readonly<Record<string, number>>, signal: AbortSignal): AsyncIterable<Stored>
  /** Keeps bytes under the hash of their content, in the tree of `run`. */
  putBlob(run: string, content: string): Promise<string>
  getBlob(run: string, hash: string): Promise<string | undefined>
  /**
   * Holds a key for a run that is about to be created, until that has ended or is removed. Nobody else gets it meanwhile:
   * they are told which run has it. A run that was never created holds it for as long as its process lives.
   */
  hold(run: string, key: string): Promise<"held" | { readonly run: string }>
  /** The run that has a key now, and would keep others from getting it. Without it nobody can tell before they try. */
  holder?(key: string): Promise<string | undefined>
  /** Gives the key up of a run that is not going to be created. */
  letGo(run: string, key: string): Promise<void>
  /** Deletes a tree that has no live owner; with `ended`, only where every run of it has ended. */
  remove(root: string, options?: { ended?: true }): Promise<"removed" | Refusal>
  close(): Promise<void>
}

export const isRefusal = (value: object | string): value is Refusal =>
  typeof value === "object" && "type" in value
