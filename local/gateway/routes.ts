import { decoded } from '../parse.ts';

type RouteMatch<T> = { route: T; parameters: Record<string, string> };

/** Finds the route of an HTTP API as API Gateway does: by whole segments, where a literal one wins over a variable. */
export function routeTable<T>(routes: [key: string, route: T][]) {
  const compiled = routes
    .map(([key, route]) => {
      const [method = '', path = ''] = key.split(' ');
      return { method, segments: path.split('/').slice(1), route };
    })
    .sort((one, other) => rank(one).localeCompare(rank(other)));

  return (method: string, path: string): RouteMatch<T> | undefined => {
    const parts = path.split('/').slice(1);
    for (const { method: wanted, segments, route } of compiled) {
      const parameters = [method, 'ANY'].includes(wanted) ? matchSegments(segments, parts) : undefined;
      if (parameters) return { route, parameters };
    }
    return undefined;
  };
}

const isVariable = (segment: string) => segment.startsWith('{');
const isGreedy = (segment: string) => segment.endsWith('+}');

// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
function rank({ method, segments }: { method: string; segments: string[] }): string {
  const kinds = segments.map(segment => (isVariable(segment) ? 'b' : 'a'));
  return [segments.some(isGreedy) ? 'b' : 'a', ...kinds, method === 'ANY' ? 'b' : 'a'].join('');
}

function matchSegments(segments: string[], parts: string[]): Record<string, string> | undefined {
  if (parts.length !== segments.length && !segments.some(isGreedy)) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = (isGreedy(segment) ? parts.slice(index).join('/') : parts[index]) ?? '';
    if (isVariable(segment) && part !== '') {
      parameters[segment.replace(/^{|\+?}$/g, '')] = decoded(part) ?? part;
    } else if (segment !== part) return undefined;
  }
  return parameters;
}
