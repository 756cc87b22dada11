import { randomUUID } from "node:crypto"

/** In the environment of every process that this host starts. */
export const hostName = "CADRE_HOST"
export const hostValue = randomUUID()
