import { PRODUCT } from '../brand.ts';
import { type Call, groupsOf, isPublic } from './calls.ts';
import { LANGUAGES, sentBy } from './examples.ts';
import { type Field, saidOf } from './fields.ts';
import { FAULT_TEXT, type OpenApi } from './openapi.ts';

/** Stands for the address of the product, which is not known when these pages are written. */
const ORIGIN = 'https://letterflow.example.com';

const CREDENTIALS: Record<Call['credential'], string> = {
  token: 'an API token, which a user creates on their profile page: `Authorization: Bearer YOUR_TOKEN`',
  session:
    'the token of a session, which signing in answers. This call is one of the web app: it may change with the app, and takes no API token',
  none: 'none',
};

/** The pages of the reference by path: `/llms.txt`, which links the page of each call, and those pages. */
export function markdownPages(document: OpenApi): Record<string, string> {
  const groups = groupsOf(document);
  const sections = groups.map(group => {
    const links = group.calls.map(
      call => `- [${call.method} ${call.path}](${pathOf(call)}): ${call.summary}`,
    );
    return `## ${isPublic(group) ? group.title : `${group.title} (session)`}\n\n${links.join('\n')}`;
  });
  const index = [
    `# ${PRODUCT} API`,
    `> ${PRODUCT} keeps lists of contacts, and emails them on schedules. Programs do with an API token what its user does in the web app. Version ${document.info.version}.`,
    'The paths are those of this site, on which also [the OpenAPI document](/api/openapi.json) is. Calls marked with “session” are those of the web app.',
    document.info.description,
    FAULT_TEXT,
    ...sections,
  ];
  const pages = groups.flatMap(({ calls }) => calls.map(call => [pathOf(call), pageOf(call)] as const));
  return { '/llms.txt': `${index.join('\n\n')}\n`, ...Object.fromEntries(pages) };
}

const pathOf = ({ id }: Pick<Call, 'id'>) => `/reference/${id}.md`;

function pageOf(call: Call): string {
  const { method, path, summary, description, rights, parameters, body, answer, refusals } = call;
  const sent = sentBy(call, { origin: ORIGIN });
  const examples = LANGUAGES.map(({ name, fence, write }) => `### ${name}\n\n${fenced(fence, write(sent))}`);
  const parts = [
    `# ${method} ${path}`,
    `${summary}.`,
    description,
    `- Rights: ${rights}\n- Credential: ${CREDENTIALS[call.credential]}${call.scope ? `, with the scope \`${call.scope}\`` : ''}`,
    parameters.length > 0 &&
      `## Parameters\n\n${table(parameters.map(part => ({ ...part, name: `${part.name} (${part.in})` })))}`,
    body && body.fields.length > 0 && `## Body\n\n${table(body.fields)}`,
    `## Answer ${answer.status}\n\n${answer.text}`,
    answer.example !== undefined && fenced('json', JSON.stringify(answer.example, null, 2)),
    answer.fields.length > 0 && table(answer.fields, 'Always there'),
    `## Errors\n\n${refusals.map(({ status, text }) => `- ${status}: ${text}`).join('\n')}\n\n${FAULT_TEXT}`,
    `## Examples\n\nReplace ${ORIGIN} by the address of ${PRODUCT}, and what is written in capital letters.`,
    ...examples,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

/** Escapes bars, which would end the cell of a table. */
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

const table = (fields: Field[], required = 'Required') =>
  [
    `| Name | Type | ${required} | Description |`,
    '|---|---|---|---|',
    ...fields.map(
      field =>
        `| \`${field.name}\` | ${field.type} | ${field.required ? 'yes' : 'no'} | ${cell(saidOf(field))} |`,
    ),
  ].join('\n');
