import { Mistake } from '../mistake.ts';
import { ACCOUNT, type Resource } from './resolver.ts';

/** A name that CloudFormation would generate. Here it is the same at each start. */
const generatedName = ({ stack, id }: Resource) => `${stack.name}-${id}`;

const arn = (service: string, { stack }: Resource, rest: string) =>
  `arn:aws:${service}:${stack.region}:${ACCOUNT}:${rest}`;

const nameOf = (resource: Resource, property: string): string => {
  const own = resource.properties[property];
  return typeof own === 'string' ? own : generatedName(resource);
};

export const tableName = (resource: Resource) => nameOf(resource, 'TableName');
export const bucketName = (resource: Resource) => generatedName(resource).toLowerCase();
export const busName = (resource: Resource) => nameOf(resource, 'Name');
export const queueName = generatedName;
export const functionName = generatedName;

function functionOf({ id, stack, properties: { FunctionName } }: Resource): string {
  const { Ref } = Object(FunctionName);
  if (typeof Ref === 'string') return `${stack.name}-${Ref}`;
  throw new Mistake(`The alias ${id} (${stack.name}) is not one of a function of its stack.`);
}

type Identity = (resource: Resource, queueUrl: (name: string) => string) => string;

const IDENTITIES: Record<string, { ref: Identity } & Record<string, Identity>> = {
  'AWS::DynamoDB::Table': {
    ref: tableName,
    Arn: it => arn('dynamodb', it, `table/${tableName(it)}`),
    StreamArn: it => arn('dynamodb', it, `table/${tableName(it)}/stream/local`),
  },
  'AWS::SQS::Queue': {
    ref: (it, queueUrl) => queueUrl(queueName(it)),
    Arn: it => arn('sqs', it, queueName(it)),
  },
  'AWS::S3::Bucket': {
    ref: bucketName,
    RegionalDomainName: it => `${bucketName(it)}.s3.${it.stack.region}.amazonaws.com`,
  },
  'AWS::SecretsManager::Secret': { ref: it => arn('secretsmanager', it, `secret:${generatedName(it)}`) },
  'AWS::KMS::Key': { ref: generatedName, Arn: it => arn('kms', it, `key/${generatedName(it)}`) },
  'AWS::Lambda::Function': {
    ref: functionName,
    Arn: it => arn('lambda', it, `function:${functionName(it)}`),
  },
  // An alias always runs the newest code of its function.
  'AWS::Lambda::Alias': { ref: it => arn('lambda', it, `function:${functionOf(it)}:${it.properties.Name}`) },
  'AWS::ApiGatewayV2::Api': {
    ref: it => it.id.toLowerCase(),
    ApiEndpoint: it => `https://${it.id.toLowerCase()}.execute-api.${it.stack.region}.amazonaws.com`,
  },
  'AWS::Events::Rule': { ref: generatedName, Arn: it => arn('events', it, `rule/${it.id}`) },
  'AWS::Events::EventBus': { ref: busName },
  'AWS::CloudFront::Function': { ref: generatedName, FunctionARN: generatedName },
};

/** The value of Ref for resources whose address is the same for every caller. */
export const refOf = (resource: Resource) => identify(resource, undefined, String);

/** The value of Ref (without an attribute) or Fn::GetAtt, as after a deployment. */
export function identify(
  resource: Resource,
  attribute: string | undefined,
  queueUrl: (name: string) => string,
) {
  const identities = IDENTITIES[resource.type];
  // Other resources only need a unique name.
  if (!identities) return attribute ? `${generatedName(resource)}.${attribute}` : generatedName(resource);
  const identity = identities[attribute ?? 'ref'];
  if (identity) return identity(resource, queueUrl);
  throw new Mistake(
    `The local stack does not know the attribute ${attribute} of ${resource.id} (${resource.type}).`,
  );
}
