import { join } from 'node:path';
import { CfnOutput, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  CfnConnectionGroup,
  type CfnDistribution,
  Distribution,
  type DistributionProps,
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
import { AaaaRecord, ARecord, CnameRecord, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ROOT } from '../constructs/bundle.ts';
import { exportAlways } from '../constructs/export-always.ts';
import { FILES, type Tracking } from '../constructs/service-function.ts';
import { SECURITY_HEADERS, TRACKING_HEADERS } from '../security-headers.ts';
import { type Domain, HOME_REGION, type Stage } from '../stages.ts';
import { zoneOf } from '../zone.ts';
import type { DataStack } from './data.ts';
import type { EdgeStack } from './edge.ts';

const noted = (domain: Partial<DistributionProps>) => ({
  'AwsSolutions-CFR1': 'The recipients of mails live anywhere.',
  'AwsSolutions-CFR3':
    'These logs keep paths and addresses, and paths carry tokens. The API writes its own log.',
  ...(!domain.webAclId && {
    'AwsSolutions-CFR2':
      'A stage without a domain has nothing in the region of firewalls; others may do without: see docs/costs.md.',
  }),
  ...(!domain.certificate && {
    'AwsSolutions-CFR4': 'The name of a distribution has the certificate of CloudFront, and its settings.',
  }),
});

/** `edge` is undefined if the stage has no domain. */
type Props = { stage: Stage; data: DataStack; edge: EdgeStack | undefined };

/**
 * The public address of the product: one distribution in front of the bucket of pages, the bucket of files, and the API. The
 * API has no routes here: the stacks of their functions add them, as the links that these functions make begin with the
 * address of this stack.
 */
export class FrontStack extends Stack {
  readonly httpApi: HttpApi;
  readonly originKey: Secret;
  readonly pages: Bucket;
  readonly distribution: Distribution;
  readonly publicUrl: string;
  readonly tracking: Tracking | undefined;
  private readonly trackingHeaders = new ResponseHeadersPolicy(this, 'TrackingHeaders', TRACKING_HEADERS);

  constructor(scope: Construct, id: string, { stage, data, edge }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });
    this.httpApi = new HttpApi(this, 'Api', {
      apiName: `letterflow-${stage.name}`,
      createDefaultStage: false,
    });
    this.originKey = this.createOriginKey();
    this.pages = this.createPages(!stage.guarded);
    this.distribution = this.distribute(data, domainOf(stage, edge));
    this.publicUrl = `https://${stage.domain?.name ?? this.distribution.distributionDomainName}`;
    this.tracking = stage.trackingTarget ? this.track(stage, edge) : undefined;
    if (stage.domain) this.lead(stage.domain, stage.trackingTarget);

    new CfnOutput(this, 'Address', { value: this.publicUrl });
    exportAlways(this, [
      this.httpApi.apiId,
      this.originKey.secretArn,
      this.pages.bucketName,
      this.pages.bucketArn,
      // Without a domain, links begin with it.
      this.distribution.distributionDomainName,
      ...(this.tracking ? [this.tracking.distribution, this.tracking.group] : []),
    ]);
  }

  private createOriginKey(): Secret {
    const key = new Secret(this, 'OriginKey', {
      description: 'Sent by CloudFront with each request: the API refuses any other',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    acknowledge(key, {
      'AwsSolutions-SMG4':
        'Its reader and CloudFront would have to change at one moment: see docs/operations.md.',
    });
    return key;
  }

  private createPages(autoDeleteObjects: boolean): Bucket {
    const bucket = new Bucket(this, 'Pages', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects,
    });
    acknowledge(bucket, {
      'AwsSolutions-S1': 'Holds the public web app, which CloudFront alone reads: there is nothing to trace.',
      [`AwsSolutions-IAM5[Resource::<${this.getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/*]`]:
        'CloudFront reads any file of the web app: there is nothing else in this bucket.',
    });
    return bucket;
  }

  private distribute(data: DataStack, domain: Partial<DistributionProps>): Distribution {
    const responseHeadersPolicy = new ResponseHeadersPolicy(this, 'Headers', SECURITY_HEADERS);
    const behindApi = this.apiBehavior();
    const distribution = new Distribution(this, 'Distribution', {
      ...domain,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.pages),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
        responseHeadersPolicy,
        functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: this.pageFinder() }],
      },
      additionalBehaviors: {
        '/api/*': { ...behindApi, responseHeadersPolicy },
        '/mcp': { ...behindApi, responseHeadersPolicy },
        '/.well-known/*': { ...behindApi, responseHeadersPolicy },
        '/t/*': { ...behindApi, responseHeadersPolicy: this.trackingHeaders },
        [`/${FILES}`]: this.filesBehavior(data, responseHeadersPolicy),
      },
    });
    acknowledge(distribution, {
      'Annotation::@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac':
        'The policy is in the data stack, beside the bucket.',
      ...noted(domain),
    });
    return distribution;
  }

  private apiBehavior(): BehaviorOptions {
    return {
      origin: new HttpOrigin(Fn.select(2, Fn.split('/', this.httpApi.apiEndpoint)), {
        customHeaders: { 'x-origin-key': this.originKey.secretValue.unsafeUnwrap() },
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    };
  }

  /** Serves images that users upload, whose names cannot be guessed. */
  private filesBehavior(
    { objects }: DataStack,
    responseHeadersPolicy: ResponseHeadersPolicy,
  ): BehaviorOptions {
    // By its name: a policy of the bucket with a reference to the distribution would make the two stacks depend on each other.
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

  /** Only for pages: a custom error response would replace the errors of the API as well. */
  private pageFinder(): EdgeFunction {
    return new EdgeFunction(this, 'PageFinder', {
      comment: 'Which file answers the address of a page',
      code: FunctionCode.fromFile({ filePath: join(ROOT, 'lib/edge/pages.js') }),
    });
  }

  /** Serves links of emails on the tracking domains of lists. Each is a tenant, which the API creates and gets a certificate for. */
  private track(stage: Stage, edge: EdgeStack | undefined): Tracking {
    const links = new EdgeFunction(this, 'TrackingLinks', {
      comment: 'What a tracking domain serves',
      code: FunctionCode.fromFile({ filePath: join(ROOT, 'lib/edge/tracking.js') }),
    });
    const { domainNames: _, ...secured } = domainOf(stage, edge);
    const distribution = new Distribution(this, 'Tracking', {
      ...secured,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        ...this.apiBehavior(),
        responseHeadersPolicy: this.trackingHeaders,
        functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: links }],
      },
    });
    const resource = distribution.node.defaultChild as CfnDistribution;
    resource.addPropertyOverride('DistributionConfig.ConnectionMode', 'tenant-only');
    // The group says it for all tenants.
    resource.addPropertyDeletionOverride('DistributionConfig.IPV6Enabled');
    acknowledge(distribution, {
      'Annotation::@aws-cdk/aws-cloudfront:emptyDomainNames': 'Its tenants have them.',
      ...noted(secured),
    });
    const group = new CfnConnectionGroup(this, 'TrackingGroup', {
      name: `letterflow-${stage.name}`,
      ipv6Enabled: true,
    });
    return {
      distribution: distribution.distributionId,
      group: group.attrId,
      address: group.attrRoutingEndpoint,
    };
  }

  private lead(domain: Domain, trackingTarget: string | undefined): void {
    const target = RecordTarget.fromAlias(new CloudFrontTarget(this.distribution));
    const zone = zoneOf(this, domain);
    new ARecord(this, 'Address4', { zone, target, recordName: `${domain.name}.` });
    new AaaaRecord(this, 'Address6', { zone, target, recordName: `${domain.name}.` });
    if (this.tracking) {
      const domainName = this.tracking.address;
      new CnameRecord(this, 'TrackingTarget', { zone, recordName: `*.${trackingTarget}.`, domainName });
    }
  }
}

/** The distribution also keeps its own name, so links from before the stage had a domain still work. */
function domainOf({ domain }: Stage, edge: EdgeStack | undefined): Partial<DistributionProps> {
  if (!domain || !edge) return {};
  return {
    domainNames: [domain.name],
    certificate: edge.certificate,
    ...(edge.firewall && { webAclId: edge.firewall.attrArn }),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}
