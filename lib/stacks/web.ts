import { join } from 'node:path';
import { Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ROOT } from '../constructs/bundle.ts';
import { copyPages } from '../constructs/page-files.ts';
import { FILES } from '../constructs/service-function.ts';
import { SECURITY_HEADERS, TRACKING_HEADERS } from '../security-headers.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import { zoneOf } from '../zone.ts';
import type { ApiStack } from './api.ts';
import type { DataStack } from './data.ts';
import type { EdgeStack } from './edge.ts';

type Props = {
  stage: Stage;
  data: DataStack;
  api: ApiStack;
  edge: EdgeStack;
  /** The directory of the built web app. */
  pages: string;
};

/** The product's one domain: pages from a private bucket, the API and tracking behind it. */
export class WebStack extends Stack {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { stage, data, api, edge, pages }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });

    const bucket = new Bucket(this, 'Pages', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(bucket, {
      'AwsSolutions-S1': 'Holds the public web app, which CloudFront alone reads: there is nothing to trace.',
      [`AwsSolutions-IAM5[Resource::<${this.getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/*]`]:
        'CloudFront reads any file of the web app: there is nothing else in this bucket.',
    });
    const responseHeadersPolicy = new ResponseHeadersPolicy(this, 'Headers', SECURITY_HEADERS);
    const behindApi = apiBehavior(api);
    const trackingHeaders = new ResponseHeadersPolicy(this, 'TrackingHeaders', TRACKING_HEADERS);

    this.distribution = new Distribution(this, 'Distribution', {
      domainNames: [stage.domain],
      certificate: edge.certificate,
      webAclId: edge.firewall.attrArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      priceClass: PriceClass.PRICE_CLASS_100,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
        responseHeadersPolicy,
        functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: this.pageFinder() }],
      },
      additionalBehaviors: {
        '/api/*': { ...behindApi, responseHeadersPolicy },
        '/t/*': { ...behindApi, responseHeadersPolicy: trackingHeaders },
        [`/${FILES}`]: this.filesBehavior(data, responseHeadersPolicy),
      },
    });

    acknowledge(this.distribution, {
      'Annotation::@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac':
        'The policy is in the data stack, beside the bucket.',
      'AwsSolutions-CFR1': 'The recipients of mails live anywhere.',
      'AwsSolutions-CFR3':
        'These logs keep paths and addresses, and paths carry tokens. The API writes its own log.',
    });

    const target = RecordTarget.fromAlias(new CloudFrontTarget(this.distribution));
    const zone = zoneOf(this, stage);
    new ARecord(this, 'Address', { zone, target, recordName: `${stage.domain}.` });
    new AaaaRecord(this, 'AddressV6', { zone, target, recordName: `${stage.domain}.` });

    if (stage.copiesPages) copyPages(this, stage, pages, bucket);
  }

  /** Images that users upload, with names that cannot be guessed. */
  private filesBehavior(
    { objects }: DataStack,
    responseHeadersPolicy: ResponseHeadersPolicy,
  ): BehaviorOptions {
    // By name: a reference to the distribution in the bucket's policy would be a cycle between the two stacks.
    const bucket = Bucket.fromBucketAttributes(this, 'Objects', {
      bucketName: objects.bucketName,
      region: HOME_REGION,
    });
    return {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy,
    };
  }

  /** For pages alone: a custom error response would replace the errors of the API as well. */
  private pageFinder(): EdgeFunction {
    return new EdgeFunction(this, 'PageFinder', {
      comment: 'Which file answers the address of a page',
      code: FunctionCode.fromFile({ filePath: join(ROOT, 'lib/edge/pages.js') }),
    });
  }
}

function apiBehavior(api: ApiStack): BehaviorOptions {
  return {
    origin: new HttpOrigin(Fn.select(2, Fn.split('/', api.httpApi.apiEndpoint)), {
      customHeaders: { 'x-origin-key': api.originKey.secretValue.unsafeUnwrap() },
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  };
}
