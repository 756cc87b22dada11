import type { Fault } from "./places.ts"

/** A fault that changes nothing anybody could see, and why. */
interface Equivalent {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly why: string
}

/** Looked at one by one. They are known by what stands there, so that they stay known when lines move. */
export const equivalents: readonly Equivalent[] = []

export const isEquivalent = ({ file, before, after }: Pick<Fault, "file" | "before" | "after">): boolean =>
  equivalents.some((one) => one.file === file && one.before === before && one.after === after)
