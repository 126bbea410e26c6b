import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { newId } from '../../functions/core/id.ts';
import { sweep } from '../../functions/core/sweep/sweep.ts';
import { get } from '../../functions/core/table.store.ts';
import { between } from '../support/between.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const quiet = { hasTime: () => true, queue: async () => {}, newId, failed: () => {} };
const at = (time: string) => ({ ...quiet, table, now: new Date(`2026-03-01T${time}Z`) });

const watermark = async () => (await get(table, { PK: 'SWEEP', SK: 'WATERMARK' }))?.swept_minute;

describe('the sweep', () => {
  it('moves the watermark to the last minute that has closed', async () => {
    expect(await sweep(at('12:05:00.000'))).toMatchObject({ watermark: at('12:04:00').now, moved: true });
    expect(await watermark()).toBe('2026-03-01T12:04:00.000Z');
  });

  it('changes nothing when it runs twice within a minute', async () => {
    expect(await sweep(at('12:05:59.999'))).toMatchObject({ watermark: at('12:04:00').now, moved: false });
    expect(await watermark()).toBe('2026-03-01T12:04:00.000Z');
  });

  it('catches up after minutes in which it did not run', async () => {
    expect(await sweep(at('13:00:30'))).toMatchObject({ moved: true });
    expect(await watermark()).toBe('2026-03-01T12:59:00.000Z');
  });

  it('never moves the watermark back, however late a run is', async () => {
    expect(await sweep(at('12:30:00'))).toMatchObject({ watermark: at('12:59:00').now, moved: false });
    expect(await watermark()).toBe('2026-03-01T12:59:00.000Z');
  });

  it('is not moved back by a run that another one has overtaken', async () => {
    const overtaken = between(table, 'PutCommand', () => sweep(at('13:40:00')));
    expect(await sweep({ ...at('13:20:00'), table: overtaken })).toMatchObject({ moved: false });
    expect(await watermark()).toBe('2026-03-01T13:39:00.000Z');
  });

  it('moves the watermark once when two runs overlap', async () => {
    const runs = await Promise.all([sweep(at('14:00:00')), sweep(at('14:00:01'))]);
    expect(runs.map(({ moved }) => moved).sort()).toEqual([false, true]);
  });
});

describe('the next time the sweep has something to do', () => {
  it('is null while there is no source', async () => {
    expect(await sweep(at('15:30:00'))).toMatchObject({ moved: true, next: null });
  });

  it('is the end of the first minute that is not swept, once there is a source', async () => {
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { PK: 'SWEEP', SK: '1#list#trial_ends#automation' } }),
    );
    const next = at('15:32:00').now;
    expect(await sweep(at('15:31:00'))).toMatchObject({ moved: true, next });
    expect(await sweep(at('15:31:59.999'))).toMatchObject({ moved: false, next });
    expect(await sweep(at('15:20:00'))).toMatchObject({ moved: false, next });
  });
});
