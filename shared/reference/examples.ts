import type { Call } from './calls.ts';

export type Sent = { method: string; url: string; headers: Record<string, string>; body?: unknown };

export type Caller = { origin: string; organization?: number | undefined; token?: string | undefined };

const TOKEN_PLACE = 'YOUR_TOKEN';
const SESSION_PLACE = 'YOUR_SESSION_TOKEN';

export function sentBy({ method, path, parameters, credential, body }: Call, caller: Caller): Sent {
  const exampleIn = (place: string, name: string) =>
    parameters.find(parameter => parameter.in === place && parameter.name === name)?.example;
  const query = parameters
    .filter(parameter => parameter.in === 'query' && parameter.required)
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const filled = path.replace(/{(\w+)}/g, (_, name) =>
    encodeURIComponent(String(exampleIn('path', name) ?? name)),
  );
  const asked = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  // The token of the page is an API token: other calls do not accept it.
  const token = credential === 'token' ? caller.token || TOKEN_PLACE : SESSION_PLACE;
  const isOfOrganization = parameters.some(({ name }) => name === 'X-Active-Organization');
  return {
    method,
    url: `${caller.origin}${filled}${asked}`,
    headers: {
      ...(credential !== 'none' && { Authorization: `Bearer ${token}` }),
      ...(isOfOrganization &&
        caller.organization !== undefined && { 'X-Active-Organization': String(caller.organization) }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: body.example }),
  };
}

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);
const json = (value: unknown, indent: number) => JSON.stringify(value, null, indent);

/** Quotes a text for a shell: in single quotes, only these quotes need escaping. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curl({ method, url, headers, body }: Sent): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${indented(shell(json(body, 2)), '  ')}`]),
  ].join(' \\\n  ');
}

const single = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

function javascript({ method, url, headers, body }: Sent): string {
  const options = [
    ...(method === 'GET' ? [] : [`method: ${single(method)}`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [
          `headers: {${Object.entries(headers)
            .map(([name, value]) => `\n    ${single(name)}: ${single(value)},`)
            .join('')}\n  }`,
        ]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(json(body, 2), '  ')})`]),
  ];
  const passed = options.length === 0 ? '' : `, {${options.map(option => `\n  ${option},`).join('')}\n}`;
  return `const response = await fetch(${single(url)}${passed});
const answer = await response.text();
if (!response.ok) throw new Error(\`\${response.status} \${answer}\`);
console.log(answer);`;
}

const PYTHON_WORDS: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

/** JSON is valid Python except for three words, which may occur in strings too. */
const pythonOf = (value: unknown) =>
  json(value, 4).replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, part => PYTHON_WORDS[part] ?? part);

function python({ method, url, headers, body }: Sent): string {
  const given = [
    json(url, 0),
    `method=${json(method, 0)}`,
    ...(Object.keys(headers).length === 0 ? [] : [`headers=${indented(pythonOf(headers), '    ')}`]),
    ...(body === undefined ? [] : [`data=json.dumps(${indented(pythonOf(body), '    ')}).encode()`]),
  ];
  return `${body === undefined ? '' : 'import json\n'}import urllib.request

request = urllib.request.Request(${given.map(part => `\n    ${part},`).join('')}
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`;
}

const STEP = '    ';

function phpOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Array.isArray(value)
    ? value.map(item => phpOf(item, indent + STEP))
    : Object.entries(value).map(([name, item]) => `${phpOf(name)} => ${phpOf(item, indent + STEP)}`);
  // An empty PHP array is encoded as a JSON array.
  if (parts.length === 0) return Array.isArray(value) ? '[]' : 'new stdClass()';
  return `[${parts.map(part => `\n${indent}${STEP}${part},`).join('')}\n${indent}]`;
}

function php({ method, url, headers, body }: Sent): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const options = [
    `CURLOPT_CUSTOMREQUEST => ${phpOf(method)}`,
    'CURLOPT_RETURNTRANSFER => true',
    ...(lines.length === 0 ? [] : [`CURLOPT_HTTPHEADER => ${phpOf(lines, STEP)}`]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${phpOf(body, STEP)})`]),
  ];
  return `<?php

$request = curl_init(${phpOf(url)});
curl_setopt_array($request, [${options.map(option => `\n${STEP}${option},`).join('')}
]);
$answer = curl_exec($request);
if ($answer === false || curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    throw new Exception($answer ?: curl_error($request));
}
echo $answer, PHP_EOL;`;
}

type Language = { name: string; fence: string; write: (sent: Sent) => string };

export const LANGUAGES: [Language, ...Language[]] = [
  { name: 'curl', fence: 'sh', write: curl },
  { name: 'JavaScript', fence: 'js', write: javascript },
  { name: 'Python', fence: 'python', write: python },
  { name: 'PHP', fence: 'php', write: php },
];
