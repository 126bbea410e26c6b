import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Stage } from './stages.ts';

/** Named after the domain even where the zone is a parent's: records are written by their full names. */
export const zoneOf = (scope: Construct, { domain, hostedZoneId }: Stage) =>
  PublicHostedZone.fromPublicHostedZoneAttributes(scope, 'Zone', { zoneName: domain, hostedZoneId });
