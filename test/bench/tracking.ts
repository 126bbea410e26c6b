import { markWrite } from '#core/recipient/claim.ts';
import type { Mark } from '#core/recipient/journal.ts';
import { commit } from '#core/storage/write.store.ts';
import type { Message } from '#local/inbox/message.ts';
import { visitLink } from '../support/mail.ts';
import { ofFunction } from './mailing.ts';
import type { Product } from './product.ts';
import type { Section } from './report.ts';

/** Opens, or clicks, that the projector gets in one batch of the stream. */
const TOGETHER = 100;

/** What is used when somebody opens an email and clicks a link in it: while nobody else does, and while many do. */
export async function reading(product: Product): Promise<Section> {
  const [mail, ...others] = await product.mails(1 + TOGETHER);
  if (!mail || others.length < TOGETHER) throw new Error('Too few emails were sent');
  const visit = (path: string, status: number) =>
    product.using(async () => {
      const answer = await visitLink(linkIn(mail, path));
      if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`);
    });
  const open = await visit('/t/o/', 200);
  const repeated = await visit('/t/o/', 200);
  const click = await visit('/t/c/', 302);
  // Written by the bench itself, in one transaction, so that the stream has them together.
  const at = (await product.now()).toISOString();
  const projected = async (as: Mark['as']) => {
    const marks = others.map(other => markOf(product, other, { as, at }));
    return (await product.using(() => commit(product.table, marks))).dynamodb.write_units / TOGETHER;
  };
  const [ofOpen, ofClick] = [await projected('opened_at'), await projected('first_clicked_at')];
  return {
    title: 'An open and a click',
    lines: [
      {
        what: 'table requests of the pixel before it answers',
        measured: ofFunction(open, 'open').requests,
        budget: 1,
      },
      { what: 'write units of an open alone', measured: open.dynamodb.write_units, budget: 5 },
      {
        what: `write units of an open, of ${TOGETHER} in a batch of the stream`,
        measured: ofFunction(open, 'open').write_units + ofOpen,
        budget: 1.3,
      },
      { what: 'write units of an open that is repeated', measured: repeated.dynamodb.write_units },
      {
        what: 'table requests of a link before it answers',
        measured: ofFunction(click, 'click').requests,
        budget: 1,
      },
      { what: 'write units of a click alone', measured: click.dynamodb.write_units },
      {
        what: `write units of a click, of ${TOGETHER} in a batch of the stream`,
        measured: ofFunction(click, 'click').write_units + ofClick,
      },
    ],
  };
}

function linkIn({ html }: Message, path: string): string {
  const [url] = new RegExp(`https?://[^"\\s]*${path}[\\w-]+`).exec(html) ?? [];
  if (url === undefined) throw new Error(`The email has no link to ${path}`);
  return url;
}

function markOf({ table }: Product, { variables }: Message, mark: Omit<Mark, 'seq'>) {
  const [, organization, hash = '', seq] = /^(\d+)-(.+)-(\d+)$/.exec(variables.send ?? '') ?? [];
  return markWrite(table, { organization: Number(organization), hash }, { seq: Number(seq), ...mark });
}
