import { CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { FIREWALL_RULES, REFUSALS, visible } from '../firewall.ts';
import type { Domain } from '../stages.ts';
import { zoneOf } from '../zone.ts';

/** CloudFront requires its certificate and its firewall to be in this region. */
export const EDGE_REGION = 'us-east-1';

type Props = { domain: Domain; hasFirewall: boolean };

export class EdgeStack extends Stack {
  readonly certificate: Certificate;
  readonly firewall: CfnWebACL | undefined;

  constructor(scope: Construct, id: string, { domain, hasFirewall }: Props) {
    super(scope, id, { env: { region: EDGE_REGION } });

    this.certificate = new Certificate(this, 'Certificate', {
      domainName: domain.name,
      validation: CertificateValidation.fromDns(zoneOf(this, domain)),
    });
    this.firewall = hasFirewall
      ? new CfnWebACL(this, 'Firewall', {
          scope: 'CLOUDFRONT',
          defaultAction: { allow: {} },
          rules: FIREWALL_RULES,
          customResponseBodies: REFUSALS,
          visibilityConfig: visible('Firewall'),
        })
      : undefined;

    // A strong reference across regions would need a custom resource with a function in each region.
    for (const used of [this.certificate, this.firewall]) {
      if (used) CrossStackReferences.of(used).produce(ReferenceStrength.WEAK);
    }
  }
}
