/** One wrapper around a model or tool call. It makes no decisions and has no durable effects. */
export type Layer<Input, Output> = (input: Input, next: (input: Input) => Promise<Output>) => Promise<Output>

/** Wraps `inner` in `layers`, the first one outermost. */
export const compose = <Input, Output>(
  layers: readonly Layer<Input, Output>[],
  inner: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) =>
  layers.reduceRight<(input: Input) => Promise<Output>>((next, layer) => (input) => layer(input, next), inner)
