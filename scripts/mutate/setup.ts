/** Loaded before each test file: switches the one fault on. */
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The number of the fault that is on. */
    fault: number
  }
}

/** So often no test comes to one place, unless the fault has it turn in a circle. */
const mostPasses = 20_000_000

const on = inject("fault")
let passes = 0

Object.assign(globalThis, {
  __fault: (number: number): boolean => {
    if (number !== on) return false
    if (++passes > mostPasses) throw new Error("The fault was passed too often: it turns in a circle.")
    return true
  },
})
