import { MOST_ROWS } from '../../../../../shared/list-member.ts';

export type Target = { origin: string; list: string; organization: number };

const MEMBERS = [
  { email: 'ada@example.com', is_subscribed: true, first_name: 'Ada', signed_up_at: '2026-03-01' },
  { email: 'grace@example.com', is_subscribed: true, plan: 'team', last_order_at: '2026-03-02T09:30:00Z' },
];

const urlOf = ({ origin, list }: Target) =>
  `${origin}/api/v1/email-lists/${encodeURIComponent(list)}/members`;

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

const curl = (target: Target) => `curl -X POST '${urlOf(target)}' \\
  -H 'Authorization: Bearer <YOUR_API_TOKEN>' \\
  -H 'X-Active-Organization: ${target.organization}' \\
  -H 'Content-Type: application/json' \\
  -d '${indented(JSON.stringify({ members: MEMBERS }, null, 2), '  ')}'`;

const javascript = (target: Target) => `const response = await fetch('${urlOf(target)}', {
  method: 'POST',
  headers: {
    'Authorization': 'Bearer <YOUR_API_TOKEN>',
    'X-Active-Organization': '${target.organization}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    members: ${indented(JSON.stringify(MEMBERS, null, 2), '    ')},
  }),
});
if (!response.ok) throw new Error(await response.text());

const { results } = await response.json();
for (const { email, status, errors } of results) console.log(email, status, errors ?? '');`;

const python = (target: Target) => `import json
import urllib.request

request = urllib.request.Request(
    "${urlOf(target)}",
    method="POST",
    headers={
        "Authorization": "Bearer <YOUR_API_TOKEN>",
        "X-Active-Organization": "${target.organization}",
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "members": ${indented(JSON.stringify(MEMBERS, null, 4).replaceAll('true', 'True'), '        ')},
    }).encode(),
)

with urllib.request.urlopen(request) as response:
    for result in json.load(response)["results"]:
        print(result["email"], result["status"], result.get("errors", ""))`;

const php = (target: Target) => `<?php

$request = curl_init('${urlOf(target)}');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer <YOUR_API_TOKEN>',
        'X-Active-Organization: ${target.organization}',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'members' => [
${MEMBERS.map(phpArray).join(',\n')},
        ],
    ]),
]);

$answer = curl_exec($request);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
    throw new Exception($answer ?: curl_error($request));
}

foreach (json_decode($answer, true)['results'] as $result) {
    echo $result['email'], ' ', $result['status'], PHP_EOL;
}`;

const phpArray = (member: Record<string, unknown>) => {
  const pairs = Object.entries(member).map(
    ([key, value]) => `'${key}' => ${typeof value === 'string' ? `'${value}'` : value}`,
  );
  return `            [${pairs.join(', ')}]`;
};

/** Complete programs that add members; only the token is a placeholder. */
export const EXAMPLES: { name: string; code: (target: Target) => string }[] = [
  { name: 'curl', code: curl },
  { name: 'JavaScript', code: javascript },
  { name: 'Python', code: python },
  { name: 'PHP', code: php },
];

/** Lists the email lists that the token reaches, with their ids. */
export const listsExample = ({ origin, organization }: Target) => `curl '${origin}/api/v1/email-lists' \\
  -H 'Authorization: Bearer <YOUR_API_TOKEN>' \\
  -H 'X-Active-Organization: ${organization}'`;

/** Limits and rules of this call. */
export const LIMITS = [
  `Up to ${MOST_ROWS} members per call; the response has a result for each.`,
  'Members who are in the list already are updated. Members who unsubscribed stay unsubscribed.',
  'Fields other than email and is_subscribed become metadata; dates can start automations.',
  'Too many calls get the status 429, with the seconds to wait in Retry-After.',
];
