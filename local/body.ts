/**
 * Reads a body. If it is larger than `most` bytes, the rest is read and dropped, so that the client still reads the response,
 * and undefined is returned.
 */
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
