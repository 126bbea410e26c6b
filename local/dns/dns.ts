import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Answer, type Question, questionIn, responseTo } from './packet.ts';
import type { Zone } from './zone.ts';

export type DnsServer = Awaited<ReturnType<typeof startDns>>;

/** More than a chain of names has that is meant. */
const LONGEST_CHAIN = 8;

/** A DNS server for the functions. It knows what a control call has set, and nothing else has a name. */
export async function startDns(zone: Zone) {
  const socket = createSocket('udp4');
  socket.on('message', (packet, { address, port }) => {
    const question = questionIn(packet);
    if (question) socket.send(responseTo(question, answersTo(question, zone)), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    close: () => new Promise<void>(done => socket.close(() => done())),
  };
}

/** A name with a CNAME has the records of the other name. */
function answersTo({ name, type }: Question, zone: Zone): Answer[] | 'no such name' {
  if (!zone.has(name)) return 'no such name';
  const answers: Answer[] = [];
  let at = name;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    const own = type ? zone.values(at, type) : [];
    answers.push(...own.map(value => ({ name: at, type: type ?? 'A', value })));
    const [target] = zone.values(at, 'CNAME');
    if (own.length > 0 || target === undefined) break;
    answers.push({ name: at, type: 'CNAME', value: target });
    at = target;
  }
  return answers;
}
