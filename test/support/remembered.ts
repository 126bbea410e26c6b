/** Computes the answer for each input once. */
export function remembered<Input, Answer>(compute: (input: Input) => Answer): (input: Input) => Answer {
  const answers = new Map<Input, Answer>();
  return input => answers.get(input) ?? (answers.set(input, compute(input)).get(input) as Answer);
}
