import { randomUUID } from "node:crypto"

/** In the environment of every process that this host starts. */
export const hostValue = randomUUID()
