import type { SamplingEnd } from "../../../run/log/event.ts"

/** Tells whether a program got the reply of the model that it asked for. */
export const describeSamplingEnd = ({ call, reply, error }: SamplingEnd): string =>
  reply.type === "reply"
    ? `call ${call} got a reply of the model`
    : `call ${call} got no reply of the model: ${error?.message ?? reply.reason}`
