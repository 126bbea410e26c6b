import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bus } from '#functions/platform/bus.ts';
import { mockedClient } from '../support/mocked-client.ts';

/** The bus of the local stack takes every event. */
const events = mockedClient(EventBridgeClient);
beforeEach(() => {
  events.reset();
  vi.stubEnv('EVENT_BUS', 'letterflow');
});
afterEach(() => void vi.unstubAllEnvs());

const details = Array.from({ length: 12 }, (_, id) => ({ id }));

it('events are put on the bus ten at a time', async () => {
  events.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  await bus.put('list_member.unsubscribed', details);
  const calls = events.commandCalls(PutEventsCommand).map(({ args: [{ input }] }) => input.Entries ?? []);
  expect(calls.map(({ length }) => length)).toEqual([10, 2]);
  expect(calls.flat().map(({ Detail = '' }) => JSON.parse(Detail))).toEqual(details);
  expect(calls[0]?.[0]).toMatchObject({
    EventBusName: 'letterflow',
    Source: 'letterflow',
    DetailType: 'list_member.unsubscribed',
  });
});

it('an event of an organization says the group of its message', async () => {
  events.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  await bus.put('list_member.unsubscribed', [{ organization_id: 7 }]);
  const [call] = events.commandCalls(PutEventsCommand);
  expect(JSON.parse(call?.args[0].input.Entries?.[0]?.Detail ?? '')).toEqual({
    organization_id: 7,
    group: '7',
  });
});

it('an event that the bus does not take fails the call, so that all are published again', async () => {
  const Entries = [{ EventId: '1' }, { ErrorCode: 'ThrottlingException' }];
  events.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries });
  await expect(bus.put('list_member.unsubscribed', details)).rejects.toThrow(
    '1 events were not taken: ThrottlingException',
  );
});
