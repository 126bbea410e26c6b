import { Mistake } from '../mistake.ts';
import type { Resource } from './resolver.ts';

export const ACCOUNT = '000000000000';

/** Short enough for every kind of name, and the same at each start. */
export const nameOf = ({ stack, id, properties }: Resource, property: string): string => {
  const own = properties[property];
  return typeof own === 'string' ? own : `${stack.name}-${id}`;
};

export const tableName = (resource: Resource) => nameOf(resource, 'TableName');
export const queueName = (resource: Resource) => nameOf(resource, 'QueueName');
export const bucketName = (resource: Resource) => nameOf(resource, 'BucketName').toLowerCase();
export const busName = (resource: Resource) => nameOf(resource, 'Name');
export const functionName = (resource: Resource) => nameOf(resource, 'FunctionName');

const arn = (service: string, { stack }: Resource, rest: string) =>
  `arn:aws:${service}:${stack.region}:${ACCOUNT}:${rest}`;

const plainRef = ({ stack, id }: Resource) => `${stack.name}-${id}`;

type Identity = (resource: Resource, queueUrl: (name: string) => string) => string;
type Identities = { ref: Identity } & Record<string, Identity>;

const domainOfApi = ({ id, stack }: Resource) =>
  `${id.toLowerCase()}.execute-api.${stack.region}.amazonaws.com`;

const IDENTITIES: Record<string, Identities> = {
  'AWS::DynamoDB::Table': {
    ref: tableName,
    Arn: it => arn('dynamodb', it, `table/${tableName(it)}`),
    StreamArn: it => arn('dynamodb', it, `table/${tableName(it)}/stream/local`),
  },
  'AWS::SQS::Queue': {
    ref: (it, queueUrl) => queueUrl(queueName(it)),
    Arn: it => arn('sqs', it, queueName(it)),
    QueueName: queueName,
    QueueUrl: (it, queueUrl) => queueUrl(queueName(it)),
  },
  'AWS::S3::Bucket': {
    ref: bucketName,
    Arn: it => `arn:aws:s3:::${bucketName(it)}`,
    RegionalDomainName: it => `${bucketName(it)}.s3.${it.stack.region}.amazonaws.com`,
    DomainName: it => `${bucketName(it)}.s3.amazonaws.com`,
  },
  'AWS::SecretsManager::Secret': { ref: it => arn('secretsmanager', it, `secret:${nameOf(it, 'Name')}`) },
  'AWS::KMS::Key': { ref: plainRef, KeyId: plainRef, Arn: it => arn('kms', it, `key/${plainRef(it)}`) },
  'AWS::Lambda::Function': {
    ref: functionName,
    Arn: it => arn('lambda', it, `function:${functionName(it)}`),
  },
  'AWS::ApiGatewayV2::Api': {
    ref: it => it.id.toLowerCase(),
    ApiId: it => it.id.toLowerCase(),
    ApiEndpoint: it => `https://${domainOfApi(it)}`,
  },
  'AWS::Events::Rule': { ref: plainRef, Arn: it => arn('events', it, `rule/${it.id}`) },
  'AWS::Events::EventBus': {
    ref: busName,
    Name: busName,
    Arn: it => arn('events', it, `event-bus/${busName(it)}`),
  },
  'AWS::Scheduler::Schedule': { ref: plainRef, Arn: it => arn('scheduler', it, `schedule/default/${it.id}`) },
  'AWS::CloudFront::Function': { ref: plainRef, FunctionARN: plainRef },
};

/** The answer to Ref, of resources whose address does not depend on who asks. */
export const refOf = (resource: Resource) => identify(resource, undefined, String);

/** What a resource is called once it is deployed here. */
export function identify(
  resource: Resource,
  attribute: string | undefined,
  queueUrl: (name: string) => string,
) {
  const identities = IDENTITIES[resource.type];
  // Of others nobody asks more than that a name is theirs alone.
  if (!identities) return attribute ? `${plainRef(resource)}.${attribute}` : plainRef(resource);
  const identity = identities[attribute ?? 'ref'];
  if (identity) return identity(resource, queueUrl);
  throw new Mistake(
    `The local stack does not know the attribute ${attribute} of ${resource.id} (${resource.type}).`,
  );
}
