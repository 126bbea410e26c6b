import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Stage } from './stages.ts';

/** The zone may be a parent of the domain: records have their full names, so `zoneName` does not matter. */
export const zoneOf = (scope: Construct, { domain, hostedZoneId }: Stage) =>
  PublicHostedZone.fromPublicHostedZoneAttributes(scope, 'Zone', { zoneName: domain, hostedZoneId });
