// The types for a program that is not made of modules.
import rules = require("@deadwax/rules");

export const isAccepted: boolean = rules.checkContact({ name: "", email: "", message: "" }).problems === undefined;
