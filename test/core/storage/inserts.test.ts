import { describe, expect, it } from 'vitest';
import { queryPartition } from '#core/storage/table.store.ts';
import { insertItems } from '#core/storage/write.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { INSERT, intercepted } from '#test/support/intercepted.ts';

const table = freshTable({ anyItems: true });
const items = (partition: string, count: number, fields = {}) =>
  Array.from({ length: count }, (_, n) => ({ PK: partition, SK: String(n).padStart(3, '0'), n, ...fields }));
const stored = async (partition: string) => (await queryPartition(table, partition)).map(({ n }) => n);

function refusing(code: string, refused: number[], times: number) {
  let requests = 0;
  const refusing = intercepted(table, async (send, { constructor: { name }, input }) => {
    if (name !== INSERT || ++requests > times) return send();
    const all = input.Statements ?? [];
    input.Statements = all.filter(({ Parameters }) => !refused.includes(Number(Parameters[2])));
    const { Responses } = (input.Statements.length > 0 ? await send() : { Responses: [] }) as {
      Responses: object[];
    };
    const answers = Responses.values();
    return {
      Responses: all.map(({ Parameters }) =>
        refused.includes(Number(Parameters[2])) ? { Error: { Code: code } } : answers.next().value,
      ),
    };
  });
  return { table: refusing, requests: () => requests };
}

describe('items that are inserted together', () => {
  it('are twenty-five in a request, and say which of them were there', async () => {
    await insertItems(table, items('A', 3));
    const { table: counted, requests } = refusing('', [], 0);
    expect(await insertItems(counted, items('A', 60))).toEqual(Array.from({ length: 60 }, (_, n) => n >= 3));
    expect(requests()).toBe(3);
    expect(await stored('A')).toEqual(items('A', 60).map(({ n }) => n));
  });

  it('leave what is there as it is, and write no undefined field', async () => {
    await insertItems(table, items('B', 1, { first: true }));
    await insertItems(table, items('B', 2, { first: false, none: undefined }));
    const found = await queryPartition(table, 'B');
    expect(found.map(({ first }) => first)).toEqual([true, false]);
    expect(found[1]).not.toHaveProperty('none');
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'are inserted by another request where the first one refuses some with %s',
    async code => {
      const { table: busy, requests } = refusing(code, [1, 3], 1);
      expect(await insertItems(busy, items(code, 5))).toEqual(Array(5).fill(true));
      expect(requests()).toBe(2);
      expect(await stored(code)).toEqual([0, 1, 2, 3, 4]);
    },
  );

  it('count as there where transactions on them go on', async () => {
    const { table: busy } = refusing('TransactionConflict', [2], 99);
    expect(await insertItems(busy, items('C', 4))).toEqual([true, true, false, true]);
  });

  it('fail where the table throttles them each time, or does not take them', async () => {
    for (const code of ['ThrottlingError', 'ValidationError']) {
      const { table: busy } = refusing(code, [2], 99);
      await expect(insertItems(busy, items(`D${code}`, 4))).rejects.toThrow(code);
      expect(await stored(`D${code}`)).toEqual([0, 1, 3]);
    }
  });
});
