export type RouteMatch<T> = { route: T; parameters: Record<string, string> };
type Compiled<T> = { method: string; segments: string[]; route: T; key: string };

/** Finds the route of an HTTP API as API Gateway does: literal before variable before greedy, then $default. */
export function routeTable<T>(routes: [key: string, route: T][]) {
  const compiled = routes.map(([key, route]): Compiled<T> => {
    const [method = '', path = ''] = key.split(' ');
    return { method, segments: path.split('/').slice(1), route, key };
  });
  compiled.sort((a, b) => rank(a).localeCompare(rank(b)));

  return (method: string, path: string): RouteMatch<T> | undefined => {
    const parts = path.split('/').slice(1);
    for (const { method: wanted, segments, route, key } of compiled) {
      if (key === '$default') return { route, parameters: {} };
      if (wanted !== 'ANY' && wanted !== method) continue;
      const parameters = matchSegments(segments, parts);
      if (parameters) return { route, parameters };
    }
    return undefined;
  };
}

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
function rank<T>({ key, segments, method }: Compiled<T>): string {
  if (key === '$default') return 'z';
  const kinds = segments.map(segment => (isGreedy(segment) ? 'g' : isVariable(segment) ? 'b' : 'a'));
  return `${kinds.join('')}${method === 'ANY' ? 'y' : 'x'}`;
}

const isVariable = (segment: string) => segment.startsWith('{') && segment.endsWith('}');
const isGreedy = (segment: string) => isVariable(segment) && segment.endsWith('+}');

function matchSegments(segments: string[], parts: string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (!part)
      return segment === '' && part === '' && parts.length === segments.length ? parameters : undefined;
    if (isGreedy(segment))
      return { ...parameters, [segment.slice(1, -2)]: decode(parts.slice(index).join('/')) };
    if (isVariable(segment)) parameters[segment.slice(1, -1)] = decode(part);
    else if (segment !== part) return undefined;
  }
  return parts.length === segments.length ? parameters : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
