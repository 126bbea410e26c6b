import { existsSync } from 'node:fs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { acknowledge } from './acknowledge.ts';

const YEAR = Duration.days(365);

/** Text for programs. Its content type names the encoding, since the files do not. */
const REFERENCE = [
  { id: 'Reference', files: 'reference/*', contentType: 'text/markdown; charset=utf-8' },
  { id: 'ReferenceIndex', files: 'llms.txt', contentType: 'text/plain; charset=utf-8' },
];

/**
 * Copies the built web app into its bucket: first the assets, then the pages that refer to them. Also copies the API
 * reference.
 */
export function copyPages(scope: Construct, { logRetention }: Stage, pages: string, bucket: Bucket): void {
  if (!existsSync(pages)) throw new Error('The web app is not built. Run npm run build first.');
  const sources = [Source.asset(pages)];
  // All copies share one function and its log group.
  const logGroup = new LogGroup(scope, 'CopierLog', {
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const common = { sources, logGroup, destinationBucket: bucket };
  // A file with a hash in its name never changes. Files of earlier builds are kept for tabs that are still open.
  const assets = new BucketDeployment(scope, 'Assets', {
    ...common,
    exclude: ['*'],
    include: ['assets/*'],
    prune: false,
    cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(YEAR), CacheControl.immutable()],
  });
  const html = new BucketDeployment(scope, 'Html', {
    ...common,
    exclude: ['assets/*', ...REFERENCE.map(({ files }) => files)],
    cacheControl: [CacheControl.noCache()],
  });
  for (const { id, files, contentType } of REFERENCE) {
    new BucketDeployment(scope, id, {
      ...common,
      exclude: ['*'],
      include: [files],
      contentType,
      cacheControl: [CacheControl.noCache()],
    });
  }
  html.node.addDependency(assets);
  acknowledgeCopier(assets, bucket);
}

/** Acknowledges violations of the function that copies: CDK decides on its runtime and its role. */
function acknowledgeCopier(deployment: BucketDeployment, bucket: Bucket): void {
  const copier = deployment.handlerRole.node.scope;
  if (!copier) return;
  const { region } = Stack.of(deployment);
  const exported = bucket.stack.resolve(bucket.stack.exportValue(bucket.bucketArn))['Fn::ImportValue'];
  acknowledge(copier, {
    'AwsSolutions-L1': 'CDK chooses the runtime of its copier and raises it with its releases.',
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]':
      'Lets the copier write its log, and nothing else.',
    ...Object.fromEntries(
      ['GetObject', 'GetBucket', 'List', 'DeleteObject', 'Abort'].map(verb => [
        `AwsSolutions-IAM5[Action::s3:${verb}*]`,
        'The forms of one verb, granted on two buckets: the one of assets and the one of pages.',
      ]),
    ),
    [`AwsSolutions-IAM5[Resource::arn:aws:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-${region}/*]`]:
      'Reads the built web app from the bucket in which CDK keeps assets, under a name not known before.',
    [`AwsSolutions-IAM5[Resource::${exported}/*]`]: 'Every object of this bucket is a file of the web app.',
  });
}
