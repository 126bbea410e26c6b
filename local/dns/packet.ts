import { type RecordType, TYPES } from './zone.ts';

// https://www.rfc-editor.org/rfc/rfc1035#section-3.2.2
const NUMBERS: Record<RecordType, number> = { A: 1, CNAME: 5, MX: 15, TXT: 16 };
const INTERNET = 1;
const HEADER_BYTES = 12;
const LONGEST_TEXT = 255;
const TTL_SECONDS = 1;
/** What a client may be expected to read: https://www.dnsflagday.net/2020/ */
const MOST_BYTES = 1_232;

export type Question = { id: number; name: string; type: RecordType | undefined; raw: Buffer; flags: number };
export type Answer = { name: string; type: RecordType; value: string };

/** The first question of a query; undefined if the packet is none. */
export function questionIn(packet: Buffer): Question | undefined {
  if (packet.length < HEADER_BYTES || packet.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = packet[at]; length; length = packet[at]) {
    // Names of questions are not compressed.
    if (length > 63 || at + length + 1 >= packet.length) return undefined;
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > packet.length) return undefined;
  const number = packet.readUInt16BE(at + 1);
  return {
    id: packet.readUInt16BE(0),
    flags: packet.readUInt16BE(2),
    name: labels.join('.'),
    type: TYPES.find(type => NUMBERS[type] === number),
    raw: packet.subarray(HEADER_BYTES, at + 5),
  };
}

const IS_RESPONSE = 0x8000;
const IS_AUTHORITATIVE = 0x0400;
const IS_TRUNCATED = 0x0200;
const RECURSION_DESIRED = 0x0100;
const RECURSION_AVAILABLE = 0x0080;
const NO_SUCH_NAME = 3;

export function responseTo(question: Question, answers: Answer[] | 'no such name'): Buffer {
  const found = answers === 'no such name' ? [] : answers;
  const body = Buffer.concat([question.raw, ...found.map(answer => recordOf(answer, question.name))]);
  const isTooLong = HEADER_BYTES + body.length > MOST_BYTES;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(question.id, 0);
  header.writeUInt16BE(
    IS_RESPONSE |
      IS_AUTHORITATIVE |
      RECURSION_AVAILABLE |
      (question.flags & RECURSION_DESIRED) |
      (isTooLong ? IS_TRUNCATED : 0) |
      (answers === 'no such name' ? NO_SUCH_NAME : 0),
    2,
  );
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isTooLong ? 0 : found.length, 6);
  return Buffer.concat([header, isTooLong ? question.raw : body]);
}

/** The name of the question is a pointer to it. */
const TO_QUESTION = Buffer.from([0xc0, HEADER_BYTES]);

function recordOf({ name, type, value }: Answer, asked: string): Buffer {
  const data = DATA[type](value);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(NUMBERS[type], 0);
  fixed.writeUInt16BE(INTERNET, 2);
  fixed.writeUInt32BE(TTL_SECONDS, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name === asked ? TO_QUESTION : nameBytes(name), fixed, data]);
}

const DATA: Record<RecordType, (value: string) => Buffer> = {
  A: value => Buffer.from(value.split('.').map(Number)),
  CNAME: nameBytes,
  MX(value) {
    const [preference = '0', host = ''] = value.split(' ');
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16BE(Number(preference), 0);
    return Buffer.concat([bytes, nameBytes(host)]);
  },
  TXT(value) {
    const bytes = Buffer.from(value);
    const parts = Array.from({ length: Math.ceil(bytes.length / LONGEST_TEXT) || 1 }, (_, at) =>
      bytes.subarray(at * LONGEST_TEXT, (at + 1) * LONGEST_TEXT),
    );
    return Buffer.concat(parts.flatMap(part => [Buffer.from([part.length]), part]));
  },
};

function nameBytes(name: string): Buffer {
  const labels = name.split('.').filter(label => label !== '');
  return Buffer.concat([
    ...labels.flatMap(label => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]),
    Buffer.from([0]),
  ]);
}
