//go:build !js

package peer

// giveWay is nothing that scripts could call: stacks grow here.
var giveWay any
