/** A body of at most so many bytes; of a larger one the rest is read, so that the caller reads the answer, and dropped. */
export async function readBody(incoming: AsyncIterable<Buffer>, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > most ? undefined : Buffer.concat(chunks);
}
