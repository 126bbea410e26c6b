import type { Gateway } from '../gateway/gateway.ts';
import { type HttpAnswer, text } from '../gateway/response.ts';
import { Mistake } from '../mistake.ts';
import type { ObjectStore } from '../objects/store.ts';
import { bucketName, refOf } from '../template/identity.ts';
import type { Properties } from '../template/kinds.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Files } from './content.ts';
import { headersUnder } from './headers.ts';
import { uploads } from './uploads.ts';
import type { ViewerRequest } from './viewer.ts';
import { type ViewerFunction, viewerFunction } from './viewer-function.ts';

type Distribution = Properties<'AWS::CloudFront::Distribution'>['DistributionConfig'];
type Behavior = Distribution['DefaultCacheBehavior'];
type DeclaredOrigin = Distribution['Origins'][number];
type Origin = (request: ViewerRequest, behavior: Behavior) => Promise<HttpAnswer>;
type Served = {
  matches: (path: string) => boolean;
  behavior: Behavior;
  origin: Origin;
  headersOf: ReturnType<typeof headersUnder>;
  onRequest: ViewerFunction | undefined;
};

export type Behind = {
  gateway: Gateway;
  pages: Files;
  objects: ObjectStore;
  isTracking: (host: string) => boolean;
};

/** Responds to viewers as the CloudFront distributions of the template do: one, and one for tracking domains. */
export function createEdge(resolver: Resolver, behind: Behind) {
  const declared = readAll(resolver, 'AWS::CloudFront::Distribution').map(
    ({ properties }) => properties.DistributionConfig,
  );
  const [own, ...others] = declared.filter(({ ConnectionMode }) => !ConnectionMode);
  const [tenants] = declared.filter(({ ConnectionMode }) => ConnectionMode);
  if (!own || others.length > 0) throw new Mistake('The local stack serves templates with one distribution.');
  const { isPage, answer } = distributionOf(own, resolver, behind);
  const tracking = tenants && distributionOf(tenants, resolver, behind);
  return {
    isPage,
    answer: (request: ViewerRequest): Promise<HttpAnswer> =>
      tracking && behind.isTracking(request.headers.host?.replace(/:\d+$/, '') ?? '')
        ? tracking.answer(request)
        : answer(request),
  };
}

function distributionOf(config: Distribution, resolver: Resolver, behind: Behind) {
  const policies = new Map(
    readAll(resolver, 'AWS::CloudFront::ResponseHeadersPolicy').map(({ resource, properties }) => [
      refOf(resource),
      headersUnder(properties.ResponseHeadersPolicyConfig),
    ]),
  );
  const functions = new Map(
    readAll(resolver, 'AWS::CloudFront::Function').map(({ resource, properties }) => [
      refOf(resource),
      viewerFunction(properties.Name, properties.FunctionCode),
    ]),
  );
  const buckets = readAll(resolver, 'AWS::S3::Bucket').map(({ resource }) => bucketName(resource));
  const origins = new Map(
    config.Origins.map(origin => {
      const isPages = !config.ConnectionMode && origin.Id === config.DefaultCacheBehavior.TargetOriginId;
      return [origin.Id, isPages ? pagesOf(origin, buckets, behind) : originOf(origin, buckets, behind)];
    }),
  );

  const served = [...config.CacheBehaviors, config.DefaultCacheBehavior].map((behavior): Served => {
    const {
      PathPattern,
      TargetOriginId,
      ResponseHeadersPolicyId,
      FunctionAssociations: [association] = [],
    } = behavior;
    return {
      matches: patternOf(PathPattern ?? '*'),
      behavior,
      origin: known(origins, TargetOriginId, 'origin'),
      headersOf: known(policies, ResponseHeadersPolicyId, 'headers policy'),
      onRequest: association && known(functions, association.FunctionARN, 'function'),
    };
  });

  // The default behavior comes last and matches every path.
  const find = (path: string) => served.find(({ matches }) => matches(path)) as Served;
  return {
    isPage: (path: string) => find(path).behavior === config.DefaultCacheBehavior,
    async answer(request: ViewerRequest): Promise<HttpAnswer> {
      const found = find(request.path);
      const { headers, ...answer } = await respond(found, request);
      return { ...answer, headers: found.headersOf(headers) };
    },
  };
}

async function respond({ behavior, origin, onRequest }: Served, request: ViewerRequest): Promise<HttpAnswer> {
  if (!(behavior.AllowedMethods ?? ['GET', 'HEAD']).includes(request.method)) {
    return text(403, 'text/plain', '403 Forbidden: method\n');
  }
  const passed = onRequest?.(request) ?? request;
  return 'status' in passed ? passed : origin(passed, behavior);
}

/** The pages are served from the build directory, not from their bucket. */
function pagesOf(origin: DeclaredOrigin, buckets: string[], { pages }: Behind): Origin {
  if (!bucketBehind(origin, buckets))
    throw new Mistake(`The local stack serves pages from a bucket: ${origin.Id} is none.`);
  return filesOrigin(pages);
}

// The address of CloudFront, which the gateway appends to that of the viewer: one that no machine has (RFC 5737).
const OWN_ADDRESS = '192.0.2.1';

function originOf(origin: DeclaredOrigin, buckets: string[], { gateway, objects }: Behind): Origin {
  const bucket = bucketBehind(origin, buckets);
  if (bucket) return filesOrigin(uploads(objects, bucket));
  const { DomainName, OriginCustomHeaders = [] } = origin;
  if (!DomainName.startsWith(`${gateway.apiId}.`))
    throw new Mistake(
      `The origin ${origin.Id} (${DomainName}) is neither a bucket nor an API of the template.`,
    );
  const custom = Object.fromEntries(
    OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue]),
  );
  return ({ ip, headers, ...rest }) => {
    const forwarded = [headers['x-forwarded-for'], ip, OWN_ADDRESS].filter(address => address);
    return gateway.answer({
      ...rest,
      ip: OWN_ADDRESS,
      headers: { ...headers, host: DomainName, 'x-forwarded-for': forwarded.join(','), ...custom },
    });
  };
}

const bucketBehind = ({ DomainName }: DeclaredOrigin, buckets: string[]) =>
  buckets.find(bucket => DomainName.startsWith(`${bucket}.s3.`));

const filesOrigin =
  (files: Files): Origin =>
  ({ path, headers }, { Compress = false }) =>
    files(path, headers, Compress);

/** A path pattern of CloudFront: `*` stands for any characters, and case matters. */
function patternOf(pattern: string): (path: string) => boolean {
  const source = pattern
    .replace(/^(?!\/|\*)/, '/')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*');
  const expression = new RegExp(`^${source}$`, 's');
  return path => expression.test(path);
}

function known<T>(map: Map<string, T>, id: string, what: string): T {
  const found = map.get(id);
  if (found) return found;
  throw new Mistake(`The distribution names the ${what} ${id}, which the template does not declare.`);
}
